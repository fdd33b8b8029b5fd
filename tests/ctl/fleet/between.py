# SPDX-License-Identifier: GPL-2.0
"""Stand between flamectl and a server, and stop flamectl at a chosen request.

  python3 between.py PORT kill NUMBER PIDFILE
  python3 between.py PORT hold TEXT FILE

PORT is the server's, on 127.0.0.1. Prints a port, and passes on what is sent to it.
kill: after NUMBER requests, ends the process whose number is in PIDFILE with SIGKILL
instead of passing on the next one. hold: before it passes on the first request that has
TEXT, makes FILE.held and waits until FILE is there, at most a minute. Ends when its
input does.
"""
import http.client
import os
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, ACTION, WHAT, FILE = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]


def wait_for(path):
    for _ in range(600):
        if os.path.exists(path) and os.path.getsize(path):
            return
        time.sleep(0.1)
    sys.exit(f"{path} is not there")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    passed = 0
    held = False

    def log_message(self, *args):
        pass

    def stop(self, text):
        if ACTION == "kill" and Handler.passed == int(WHAT):
            wait_for(FILE)
            with open(FILE, encoding="ascii") as file:
                os.kill(int(file.read()), signal.SIGKILL)
            Handler.passed += 1
            time.sleep(60)
        if ACTION == "hold" and not Handler.held and WHAT.encode() in text:
            Handler.held = True
            with open(FILE + ".held", "w", encoding="ascii") as file:
                file.write("held\n")
            wait_for(FILE)
        Handler.passed += 1

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.stop(self.path.encode() + b" " + body)
        server = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)
        headers = {name: value for name, value in self.headers.items()
                   if name.lower() not in ("connection", "expect", "host")}
        server.request("POST", self.path, body, headers)
        answer = server.getresponse()
        text = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
