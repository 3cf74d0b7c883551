; RUN: %ekopt -passes='print<ek-calls>' -disable-output %s | FileCheck %s
; Which function calls which, also through pointers, and what each function
; itself writes: the tables that the analyses of loops and counts use.
@a = global i64 0
@b = global i64 0

; CHECK: function even live recursive calls odd writes a{{$}}
define internal i64 @even(i64 %n) {
  %m = sub i64 %n, 1
  store i64 %m, ptr @a
  %r = call i64 @odd(i64 %m)
  ret i64 %r
}

; CHECK: function odd live recursive calls even{{$}}
define internal i64 @odd(i64 %n) {
  %m = sub i64 %n, 1
  %stop = icmp eq i64 %m, 0
  br i1 %stop, label %end, label %more
more:
  %r = call i64 @even(i64 %m)
  ret i64 %r
end:
  ret i64 0
}

; CHECK: function pick live calls even,step{{$}}
define internal i64 @pick(ptr %f, i64 %n) {
  %r = call i64 %f(i64 %n)
  ret i64 %r
}

; CHECK: function step live writes b{{$}}
define internal i64 @step(i64 %n) {
  store i64 %n, ptr @b
  ret i64 %n
}

; Nothing calls it, and nothing outside can.
; CHECK: function left calls step{{$}}
define internal i64 @left(i64 %n) {
  %r = call i64 @step(i64 %n)
  ret i64 %r
}

; CHECK: function main live calls pick{{$}}
define i64 @main() {
  %x = call i64 @pick(ptr @even, i64 8)
  %y = call i64 @pick(ptr @step, i64 8)
  %z = add i64 %x, %y
  ret i64 %z
}
