"""Files that the scripts send: a picture, and the beginning of a film."""

import struct
import zlib


def box(name, *parts):
    body = b"".join(parts)
    return struct.pack(">I", len(body) + 8) + name + body


def longs(*numbers):
    return struct.pack(f">{len(numbers)}I", *numbers)


def film_header(seconds=300, rate=30, sides=(1280, 720)):
    """What an MP4 says of itself: H.264, upright, all of it before the pictures."""
    matrix = longs(1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
    entry = box(b"avc1", bytes(24), struct.pack(">HH", *sides), bytes(50))
    table = box(b"stbl", box(b"stsd", longs(0, 1), entry),
                box(b"stts", longs(0, 1, seconds * rate, 1)))
    clock = box(b"mdhd", longs(0, 0, 0, rate, seconds * rate, 0))
    handler = box(b"hdlr", longs(0, 0), b"vide", bytes(13))
    media = box(b"mdia", clock, handler, box(b"minf", table))
    track = box(b"tkhd", longs(3, 0, 0, 1, 0, seconds * 1000, 0, 0, 0, 0), matrix,
                longs(sides[0] << 16, sides[1] << 16))
    film = box(b"mvhd", longs(0, 0, 0, 1000, seconds * 1000), bytes(80))
    return box(b"ftyp", b"isom", longs(0), b"mp42") + box(b"moov", film, box(b"trak", track, media))


def film(size, **facts):
    """A film of so many bytes, whose pictures are empty."""
    begin = film_header(**facts)
    return begin + struct.pack(">I", size - len(begin)) + b"mdat" + bytes(size - len(begin) - 8)


def picture():
    """A PNG of 640 x 480 points of noise and bands."""
    rows = b"".join(
        b"\0" + bytes((x * y) % 251 for x in range(640) for _ in range(3)) for y in range(480)
    )
    chunk = lambda name, data: (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    )
    head = struct.pack(">IIBBBBB", 640, 480, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
