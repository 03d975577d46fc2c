"""Answers on 8080: /ready, and a greeting with a counter for anything else."""
import signal
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

visits = 0


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        global visits
        visits += 1
        body = ("ok\n" if self.path == "/ready" else f"report {self.path} {visits}\n").encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # process 1 has no default action for it
print("listening on 8080", flush=True)
ThreadingHTTPServer(("", 8080), Handler).serve_forever()
