#!/usr/bin/env python3
# ended.py EVENKEEL - signals to `evenkeel record` while ./sleeper runs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import subprocess
import sys
import time

# Scripts, by what they stand for; the program itself where there is none.
PROGRAMS = {
    "itself": None,
    "child of a shell": "./sleeper; true",
    "several": "./sleeper & ./sleeper & wait",
    "group of its own": "setsid ./sleeper & wait",
    "that ignores it": "./sleeper {signal}",
}

STOPPED = f"exec ./sleeper {int(signal.SIGSTOP)}"
# They end a program by default, too.
OTHERS = (signal.SIGQUIT, signal.SIGPIPE, signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGALRM,
          signal.SIGVTALRM, signal.SIGABRT, signal.SIGIO, signal.SIGRTMIN, signal.SIGRTMIN + 5)


def sleepers():
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink(f"/proc/{name}/exe") == os.path.abspath("sleeper"):
                found.append(int(name))
        except OSError:
            pass
    return found


def wait_until(holds, seconds=20):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def record(evenkeel, command, number, ignored=False):
    folder = os.path.abspath("tmp")
    os.makedirs(folder, exist_ok=True)
    def before():
        for each in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, *OTHERS):  # who runs tests may ignore some
            signal.signal(each, signal.SIG_IGN if ignored and each == number else signal.SIG_DFL)

    with open("script", "w") as script:
        script.write("#!/bin/sh\n" + (command or "exec ./sleeper").format(signal=int(number)) + "\n")
    os.chmod("script", 0o755)
    process = subprocess.Popen(
        [evenkeel, "record", "--misses", "-o", "x.ekdb", "--", "./script" if command else "./sleeper"],
        env={**os.environ, "TMPDIR": folder}, stderr=subprocess.DEVNULL, preexec_fn=before, start_new_session=True)
    assert wait_until(sleepers), "the program does not start"
    time.sleep(0.3)  # until it has said what it ignores
    for entry in os.listdir(folder):
        assert os.stat(os.path.join(folder, entry)).st_mode & 0o777 == 0o700, "others may enter"
    process.send_signal(number)
    return process, folder


def end(evenkeel, name, command, number):
    process, folder = record(evenkeel, command, number)
    began = time.monotonic()
    status = process.wait(timeout=30)
    took = time.monotonic() - began
    left = sleepers()
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    what = f"{name}, {number!r}"
    assert status == 128 + number, f"{what}: status {status}"
    assert not left, f"{what}: {len(left)} processes go on"
    assert not os.listdir(folder), f"{what}: {os.listdir(folder)} left behind"
    assert not os.path.exists("x.ekdb"), f"{what}: a profile"
    return took


def kill(evenkeel, command):
    process, folder = record(evenkeel, command, signal.SIGKILL)
    assert process.wait(timeout=30) == -signal.SIGKILL
    assert wait_until(lambda: not sleepers(), 5), "SIGKILL: the program goes on"
    subprocess.run(["rm", "-r", folder], check=True)


def no_reader(evenkeel):
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run([evenkeel, "--help"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (process.returncode, process.stderr) == (128 + signal.SIGPIPE, b""), f"no reader: {process}"


def main():
    evenkeel = sys.argv[1]
    for name, command in PROGRAMS.items():
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            end(evenkeel, name, command, number)
    for number in OTHERS:
        end(evenkeel, "itself", PROGRAMS["itself"], number)
    end(evenkeel, "several", PROGRAMS["several"], signal.SIGUSR1)
    took = end(evenkeel, "stopped", STOPPED, signal.SIGTERM)
    assert took < 4, "a stopped program was not told, but killed in the end"
    kill(evenkeel, PROGRAMS["itself"])
    kill(evenkeel, STOPPED)
    no_reader(evenkeel)
    # As under nohup.
    process, _ = record(evenkeel, PROGRAMS["itself"], signal.SIGHUP, ignored=True)
    time.sleep(0.5)
    assert process.poll() is None and sleepers(), "an ignored signal ended something"
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 128 + signal.SIGTERM
    print("all ended")


main()
