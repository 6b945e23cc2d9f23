#!/usr/bin/env python3
"""Draws a PNG without a library: the tower at the left, its beam over the sea."""

import base64
import json
import struct
import zlib

WIDTH, HEIGHT, LAMP = 40, 20, 4
NIGHT, SEA, TOWER, LIGHT = (20, 24, 48), (16, 60, 92), (214, 208, 196), (250, 214, 110)


def pixel(x, y):
    if 3 <= x <= 6 and LAMP - 1 <= y <= 15:
        return LIGHT if y <= LAMP + 1 else TOWER
    if x > 6 and abs(y - LAMP) * 8 <= x:
        return LIGHT
    return SEA if y > 14 else NIGHT


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


rows = b"".join(b"\0" + bytes(v for x in range(WIDTH) for v in pixel(x, y)) for y in range(HEIGHT))
png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))
png += chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
picture = {"base64": base64.b64encode(png).decode("ascii"), "alt": "The beam over the sea"}
answer = {
    "content": [{"type": "text", "text": "A tower and its beam over the sea."}],
    "structuredContent": {"kind": "image", "mimeType": "image/png", "data": picture},
}
print(json.dumps(answer))
