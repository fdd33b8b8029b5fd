# SPDX-License-Identifier: GPL-2.0
"""Serve a directory as debuginfod does: print the port, and write what is asked for to
the directory's file "asked". It ends by itself after a minute.

  debuginfod.py DIRECTORY
"""
import http.server
import os
import signal
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_request(self, code="-", size="-"):
        with open("asked", "a") as asked:
            print(self.path, file=asked)

    def log_message(self, *args):
        pass


signal.alarm(60)
os.chdir(sys.argv[1])
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
