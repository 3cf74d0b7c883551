; RUN: %ekopt -passes='print<ek-access>' -disable-output %s | FileCheck %s
; Field sensitivity without any debug information: no ids, but the reasons.
; CHECK: giveup no-debug-location {{[1-9]}}
%pair = type { ptr, ptr }
declare ptr @malloc(i64)
define i64 @main() {
  %p = alloca %pair
  %a = call ptr @malloc(i64 800)
  %b = call ptr @malloc(i64 800)
  store ptr %a, ptr %p
  %second = getelementptr i8, ptr %p, i64 8
  store ptr %b, ptr %second
  %q = load ptr, ptr %second
  %v = load i64, ptr %q
  ret i64 %v
}
