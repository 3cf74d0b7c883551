; RUN: %ekopt -passes='print<ek-access>' -disable-output %s | FileCheck %s
; Targets whose argument lists the compiler does not write out as a structure
; have an instruction for the next argument; a copy of a list continues it.
; CHECK: region serial
; CHECK-DAG: malloc@u.c:9:3 invariant element 8 reads 1 writes 0 exact
; CHECK-DAG: malloc@u.c:8:3 invariant element 4 reads 1 writes 0 exact
; CHECK-NOT: unknown-object
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare void @llvm.va_end.p0(ptr)
declare ptr @malloc(i64)
define internal i64 @next(ptr %list) !dbg !11 {
  %x = va_arg ptr %list, ptr, !dbg !12
  %v = load i64, ptr %x, !dbg !12
  ret i64 %v, !dbg !12
}
define internal i64 @each(i64 %n, ...) !dbg !10 {
  %list = alloca ptr
  %copy = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  call void @llvm.va_copy.p0(ptr %copy, ptr %list)
  %v = call i64 @next(ptr %copy), !dbg !13
  call void @llvm.va_end.p0(ptr %copy)
  call void @llvm.va_end.p0(ptr %list)
  ret i64 %v, !dbg !13
}
define internal i32 @other(i64 %n, ...) !dbg !14 {
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %x = va_arg ptr %list, ptr, !dbg !15
  %v = load i32, ptr %x, !dbg !15
  call void @llvm.va_end.p0(ptr %list)
  ret i32 %v, !dbg !15
}
define i32 @main() !dbg !4 {
  %b = call ptr @malloc(i64 400), !dbg !8
  %a = call ptr @malloc(i64 800), !dbg !9
  %s = call i64 (i64, ...) @each(i64 1, ptr %a), !dbg !9
  %t = call i32 (i64, ...) @other(i64 1, ptr %b), !dbg !9
  ret i32 %t, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "u.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "main", file: !1, line: 7, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!8 = !DILocation(line: 8, column: 3, scope: !4)
!9 = !DILocation(line: 9, column: 3, scope: !4)
!10 = distinct !DISubprogram(name: "each", file: !1, line: 4, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "next", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 2, column: 5, scope: !11)
!13 = !DILocation(line: 5, column: 5, scope: !10)
!14 = distinct !DISubprogram(name: "other", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!15 = !DILocation(line: 6, column: 5, scope: !14)
