#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""An HTTP server on a free port of 127.0.0.1 that misbehaves as the path of a request says.

  misbehaving.py [CERTIFICATE KEY | ANSWERS]

Prints its port. A path is a list of answers, "/429,200": the first request for it gets
the first one, and so on; the last one is repeated. For the path "/", it is ANSWERS. Answers are
  STATUS          with the body "answer N"
  STATUS:seconds  the same, with Retry-After: seconds
  STATUS@seconds  the same, with a date that many seconds from now
  code:N          500 with "Code: N, e.displayText() = DB::Exception", as ClickHouse has it
  hang            nothing, for a minute
  cut             the connection is closed without an answer
  half            200, and half of the body that it promises
  redirect        307, to another path of this server
  redirect-token  307, to a long path that ends with the request's Authorization
  long            200, and 3 MiB
  echo            403, and the request's headers as the body
GET /log answers all requests so far as lines: method, path, length of the body when
unpacked, Content-Encoding, User-Agent. It ends when its standard input does.
"""
import gzip
import http.server
import ssl
import sys
import threading
import time
from email.utils import formatdate

LOG, COUNTS, LOCK = [], {}, threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body, headers=(), promised=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(promised or len(body)))
        self.end_headers()
        self.wfile.write(body)

    def next_answer(self, body):
        path = self.path.split("?")[0]
        with LOCK:
            nr = COUNTS[path] = COUNTS.get(path, 0) + 1
            LOG.append(f"{self.command} {self.path} {len(body)} "
                       f"{self.headers.get('Content-Encoding')} {self.headers.get('User-Agent')}")
        answers = (path[1:] or sys.argv[1]).split(",")
        return answers[min(nr, len(answers)) - 1], f"answer {nr}\n".encode()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if self.path == "/log":
            return self.answer(200, "".join(f"{line}\n" for line in LOG).encode())
        kind, text = self.next_answer(body)
        if kind == "hang":
            return time.sleep(60)
        if kind == "cut":
            self.close_connection = True
            return None
        if kind == "half":
            self.close_connection = True
            return self.answer(200, text, promised=2 * len(text))
        if kind == "redirect":
            return self.answer(307, text, [("Location", "/200")])
        if kind == "redirect-token":
            path = "/" + "x" * 143 + self.headers["Authorization"].replace(" ", "/")
            return self.answer(307, text, [("Location", path)])
        if kind == "long":
            return self.answer(200, b"x" * (3 << 20))
        if kind == "echo":
            return self.answer(403, " ".join(map(str, self.headers.values())).encode())
        if kind.startswith("code:"):
            code = kind[5:]
            return self.answer(500, f"Code: {code}, e.displayText() = DB::Exception".encode(),
                               [("X-ClickHouse-Exception-Code", code)])
        headers = []
        if ":" in kind:
            kind, seconds = kind.split(":")
            headers = [("Retry-After", seconds)]
        elif "@" in kind:
            kind, seconds = kind.split("@")
            headers = [("Retry-After", formatdate(time.time() + int(seconds), usegmt=True))]
        return self.answer(int(kind), text, headers)

    do_GET = do_POST

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass  # the client left, or did not trust the certificate


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if len(sys.argv) == 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*sys.argv[1:])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # in one piece, as the reader closes its end after it
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    sys.stdin.read()


main()
