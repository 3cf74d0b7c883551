#!/usr/bin/env python3
# boot.py - runs programs under a real kernel with several kinds of memory
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: QEMU without KVM, a Debian kernel that install-packages has unpacked,
# an initramfs made of busybox, /init, the given programs and the libraries they
# load. Makes: the guest's console on standard output, where GoogleTest's lines
# name every test. Leaves out: what is tested (init and the programs).
# The exit status is the guest's; a guest that does not come up, hangs or
# ends early is a failure.
import argparse
import glob
import lzma
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

# The kernel changes its own code behind a breakpoint instruction. The emulator's
# threads may execute one that is not there any more, which the kernel takes for
# its end. It says nothing about the programs.
EMULATORS_FAULT = "Oops: int3"
MODULES = ["libnvdimm", "nfit", "device_dax", "dax_pmem", "kmem"]


def die(text):
    print(f"guest: {text}", flush=True)
    sys.exit(2)


def kernel_image(folder):
    """The ELF file inside Debian's bzImage: QEMU starts it at once (PVH)."""
    found = sorted(glob.glob(os.path.join(folder, "boot/vmlinuz-*")))
    if not found:
        die(f"no kernel in {folder}; run utils/install-packages")
    if not shutil.which("zstd"):
        die("zstd is missing; run utils/install-packages")
    data = open(found[-1], "rb").read()
    at = data.find(b"\x28\xb5\x2f\xfd")
    if at < 0:
        die(f"{found[-1]} holds no zstd stream")
    done = subprocess.run(["zstd", "-dcq"], input=data[at:], capture_output=True)
    if not done.stdout.startswith(b"\x7fELF"):
        die(f"cannot unpack {found[-1]}: {done.stderr.decode().strip()}")
    return done.stdout


def modules(folder):
    """Files of MODULES, in the order to load them; absent ones are built in."""
    for name in MODULES:
        for path in glob.glob(os.path.join(folder, "lib/modules/**", name + ".ko.xz"),
                              recursive=True):
            yield name, lzma.decompress(open(path, "rb").read())


def libraries(program, paths):
    """What the dynamic linker would load for it, {name in the guest: file}."""
    env = dict(os.environ, LD_LIBRARY_PATH=":".join(paths))
    out = subprocess.run(["ldd", program], capture_output=True, text=True, env=env).stdout
    if "not found" in out:
        die(f"{program}: a library is missing:\n{out}")
    found = {}
    for line in out.splitlines():
        m = re.match(r"\s*(?:\S+ => )?(/\S+) \(0x", line)
        if m:
            found["lib/" + os.path.basename(m.group(1))] = m.group(1)
    return found


class Archive:
    """cpio, format newc."""

    def __init__(self, out):
        self.out, self.inode, self.seen = out, 0, {""}

    def entry(self, name, mode, data=b"", device=(0, 0)):
        parent = os.path.dirname(name)
        if parent not in self.seen:
            self.entry(parent, stat.S_IFDIR | 0o755)
        if name in self.seen:
            return
        self.seen.add(name)
        self.inode += 1
        encoded = name.encode() + b"\0"
        head = "070701" + "".join(f"{v:08X}" for v in (
            self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(encoded), 0))
        for part in (head.encode() + encoded, data):
            self.out.write(part + b"\0" * (-len(part) % 4))

    def file(self, name, path):
        self.entry(name, stat.S_IFREG | 0o755, open(path, "rb").read())

    def end(self):
        self.entry("TRAILER!!!", 0)


def initramfs(out, a):
    here = os.path.dirname(os.path.abspath(__file__))
    c = Archive(out)
    for folder in ("proc", "sys", "dev", "tmp", "cgroup", "run"):
        c.entry(folder, stat.S_IFDIR | 0o755)
    c.entry("dev/console", stat.S_IFCHR | 0o600, device=(5, 1))
    busybox = shutil.which("busybox") or die("busybox is missing; run utils/install-packages")
    c.file("bin/busybox", busybox)
    c.entry("bin/sh", stat.S_IFLNK | 0o777, b"busybox")
    c.file("init", os.path.join(here, "init"))
    c.file("checks", os.path.join(here, a.checks))
    order = []
    for name, data in modules(a.kernel):
        c.entry(f"modules/{name}.ko", stat.S_IFREG | 0o644, data)
        order.append(name)
    c.entry("modules/order", stat.S_IFREG | 0o644, "".join(n + "\n" for n in order).encode())
    todo = {}
    for spec in a.program + a.library:
        name, _, path = spec.rpartition("=")
        name = name or ("lib/" if spec in a.library else "bin/") + os.path.basename(path)
        if not os.path.exists(path):
            die(f"{path} is missing")
        c.file(name, path)
        if open(path, "rb").read(4) == b"\x7fELF":
            todo.update(libraries(path, a.library_path))
    for name, path in sorted(todo.items()):
        c.file("lib64/" + os.path.basename(path) if "ld-linux" in name else name, path)
    c.end()


def machine(a, kernel, initrd, medium):
    """Two nodes with HMAT figures, the second without processors and slower; and
    an NVDIMM, which init turns into the third."""
    fast, slow = (int(ns) for ns in a.latency.split(","))
    nodes = [(a.first, fast, 20000), (512, slow, 5000)]  # MiB, ns, MB/s
    # With its clock bound to instructions the guest does not see what else the
    # computer does, and two runs tell the same times. One processor then: of two
    # each would wait while the other's turn lasts.
    clock = ["tcg,thread=single", "-icount", "shift=0,sleep=off"] if a.count else ["tcg,thread=multi"]
    cpus = 1 if a.count else 2
    command = [a.qemu, "-accel", *clock, "-machine", "q35,hmat=on,nvdimm=on", "-cpu", "max", "-smp", str(cpus),
               "-m", f"{sum(n[0] for n in nodes)}M,slots=2,maxmem=4G"]
    for i, (mib, _, _) in enumerate(nodes):
        command += ["-object", f"memory-backend-ram,id=m{i},size={mib}M",
                    "-numa", f"node,nodeid={i},memdev=m{i},initiator=0" + (f",cpus=0-{cpus - 1}" if i == 0 else "")]
    command += ["-numa", "node,nodeid=2"]
    for j, far in ((1, 20), (2, 30)):
        command += ["-numa", f"dist,src=0,dst={j},val={far}"]
    command += ["-numa", "dist,src=1,dst=2,val=40"]
    for i, (_, ns, mbps) in enumerate(nodes):
        common = f"hmat-lb,initiator=0,target={i},hierarchy=memory,data-type=access-"
        command += ["-numa", f"{common}latency,latency={ns}",
                    "-numa", f"{common}bandwidth,bandwidth={mbps}M"]
    command += ["-object", f"memory-backend-file,id=n0,share=on,mem-path={medium},size=384M",
                "-device", "nvdimm,memdev=n0,id=nv0,node=2",
                "-kernel", kernel, "-initrd", initrd, "-append",
                "console=ttyS0 quiet loglevel=3 panic=-1 nokaslr no_timer_check mitigations=off " + a.append,
                "-nodefaults", "-no-user-config", "-display", "none", "-serial", "stdio",
                "-no-reboot", *a.argument]
    return command


def boot(command, seconds):
    """Prints the console; (seconds until the first program ran, or None; exit
    status of the tests, or None; whether the emulator was at fault)."""
    started = time.time()
    guest = subprocess.Popen(command, text=True, errors="replace", stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def stop(*_):
        print(f"guest: still running after {seconds:.0f} s; ended", flush=True)
        guest.kill()

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1))
    up, status, at_fault = None, None, False
    for line in guest.stdout:
        line = line.replace("\r", "").rstrip("\n")
        at_fault = at_fault or EMULATORS_FAULT in line
        m = re.match(r"GUEST_(UP|RC=(\d+))$", line)
        if not m:
            print(line, flush=True)
        elif m.group(2):
            status = int(m.group(2))
        else:
            up = time.time() - started
    ended = guest.wait()
    signal.setitimer(signal.ITIMER_REAL, 0)
    if status is None:
        print(f"guest: QEMU ended with status {ended} after {time.time() - started:.1f} s", flush=True)
    return up, status, at_fault


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--kernel", required=True, metavar="DIR", help="the unpacked kernel package")
    p.add_argument("--qemu", default="qemu-system-x86_64")
    p.add_argument("--program", action="append", default=[], metavar="[NAME=]FILE")
    p.add_argument("--library", action="append", default=[], metavar="FILE",
                   help="loaded by name at run time; what ldd shows comes by itself")
    p.add_argument("--library-path", action="append", default=[], metavar="DIR")
    p.add_argument("--checks", default="checks", metavar="FILE", help="what runs, beside this script")
    p.add_argument("--count", action="store_true",
                   help="a nanosecond is an instruction: times are counts, whatever the computer does")
    p.add_argument("--first", type=int, default=384, metavar="MIB", help="memory of the first node")
    p.add_argument("--latency", default="50,250", metavar="NS,NS", help="of the two nodes, as firmware tells them")
    p.add_argument("--argument", action="append", default=[], metavar="WORD", help="to QEMU")
    p.add_argument("--append", default="", help="to the kernel's command line")
    p.add_argument("--pause", type=float, default=5, metavar="S", help="before a second start")
    p.add_argument("--timeout", type=float, default=540, metavar="S")
    a = p.parse_args()
    if not shutil.which(a.qemu):
        die(f"{a.qemu} is missing; run utils/install-packages")
    started = time.time()
    with tempfile.TemporaryDirectory(prefix="ek-guest-") as scratch:
        kernel, initrd, medium = (os.path.join(scratch, n) for n in ("vmlinux", "initrd", "nvdimm"))
        with open(kernel, "wb") as f:
            f.write(kernel_image(a.kernel))
        with open(initrd, "wb") as f:
            initramfs(f, a)
        with open(medium, "wb") as f:
            f.truncate(384 << 20)
        command = machine(a, kernel, initrd, medium)
        up, again = None, False
        for pause in (0, a.pause, 3 * a.pause, 6 * a.pause):
            # Early code of the kernel measures time, in vain on a busy computer,
            # and QEMU ends at once where memory is short for a moment.
            if again:
                why = "did not come up" if up is None else "was ended by a fault of the emulator"
                print(f"guest: {why}; once more in {pause:g} s", flush=True)
                time.sleep(pause)
            up, status, at_fault = boot(command, a.timeout - (time.time() - started))
            if up is not None and not (status is None and at_fault):
                break
            again = True
    if up is None:
        die("the guest did not start its first program")
    print(f"guest: up after {up:.0f} s; {time.time() - started:.0f} s in all", flush=True)
    if status is None:
        die("the guest ended before its last test")
    sys.exit(min(status, 1))


main()
