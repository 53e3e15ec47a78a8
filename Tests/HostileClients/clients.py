"""A client that tries to harm a service in one way until standard input ends: clients.py PORT NUMBER TOKEN KIND

It uses its own address, 127.0.0.NUMBER, and prints `attacking` as soon as it has attacked once.
"""
import os, socket, sys, threading

port, number, token, kind = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
MB = 1 << 20
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()


def connect():
    client = socket.create_connection(('127.0.0.1', port), timeout=10, source_address=('127.0.0.' + number, 0))
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    return client


def head(method, path, *headers):
    lines = [f'{method} {path} HTTP/1.1', 'Host: localhost', f'Authorization: Bearer {token}', *headers]
    return '\r\n'.join(lines + ['', '']).encode()


HTML, LINES, CHUNKED = 'Content-Type: text/html', 'Content-Type: application/jsonl', 'Transfer-Encoding: chunked'


def chunk(data): return b'%x\r\n%s\r\n' % (len(data), data)


def feed(count, begin, pieces, piece):
    """Sends the given number of pieces on each of several connections in turn, and keeps the connections open."""
    clients = []
    for _ in range(count):
        client = connect()
        client.sendall(begin)
        # The service stops reading connections for which it has no memory.
        client.settimeout(0.1)
        clients.append(client)
    for _ in range(pieces):
        for client in list(clients):
            try: client.sendall(piece)
            except OSError:
                client.close()
                clients.remove(client)
    return clients


def announced(): return feed(100, head('POST', '/v1/images', HTML, f'Content-Length: {16 * MB}'), 0, b'')
def dripped(): return feed(12, head('POST', '/v1/images', HTML, f'Content-Length: {16 * MB}'), 240, b' ' * 65536)
def lines():
    begin = head('POST', '/v1/batch', LINES, CHUNKED) + chunk(b'{"html": "')
    return feed(12, begin, 240, chunk(b' ' * 65536))
def heads(): return feed(300, head('GET', '/metrics')[:-2] + b'X: ', 15, b'x' * 4091 + b'\r\nX: ')


def prefetches():
    for index in range(12):
        body = b'<p>%d<!--' % index + b' ' * (12 * MB) + b'-->'
        try:
            with connect() as client:
                client.sendall(head('POST', f'/v1/prefetch?width={100 + index}', HTML, f'Content-Length: {len(body)}',
                                    'Connection: close') + body)
                while client.recv(4096): pass
        except OSError: pass
    return []


def readers():
    clients = []
    for _ in range(60):
        client = connect()
        client.sendall(head('GET', '/v1/images/large'))
        clients.append(client)
    return clients


def queries():
    many = '&'.join(['width=100'] * 6000)
    long = 'css=' + '%41' * 20000
    for index in range(20):
        try:
            with connect() as client:
                for query in (many, long):
                    client.sendall(head('POST', '/v1/images?' + query, HTML, 'Content-Length: 3') + b'<p>')
                    client.recv(1)
        except OSError: pass
    return []


def connections():
    clients = []
    for _ in range(800):
        try:
            client = connect()
            client.sendall(head('GET', '/v1/none'))
            client.recv(12)
            clients.append(client)
        except OSError: pass
    return clients


held = []
while True:
    held = globals()[kind]()
    print('attacking', flush=True)
    # Rows that were sent stay in progress for a while.
    threading.Event().wait(1)
