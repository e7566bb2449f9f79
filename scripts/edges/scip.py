"""Reads the few fields of a SCIP index that are needed here: documents, occurrences and their symbols.

The format is a protobuf message; its wire format is simple enough to be read without a library.
"""


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """(field number, value) of a message: numbers and byte strings."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            value, at = None, at + (8 if key & 7 == 1 else 4)
        yield key >> 3, value


def numbers(data):
    found, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found


def documents(data):
    """(path, [(line, column, symbol, is definition)]) of every document; both count from 0, columns in UTF-16 units."""
    for number, document in fields(data):
        if number != 2:  # Index.documents
            continue
        path, occurrences = "", []
        for number, value in fields(document):
            if number == 1:  # Document.relative_path
                path = bytes(value).decode().replace("\\", "/")
            elif number == 2:  # Document.occurrences
                place, symbol, roles = [], "", 0
                for number, part in fields(value):
                    if number == 1:  # Occurrence.range, packed or not
                        place.extend([part] if isinstance(part, int) else numbers(part))
                    elif number == 2:
                        symbol = bytes(part).decode()
                    elif number == 3:
                        roles = part
                if symbol and len(place) >= 3:
                    occurrences.append((place[0], place[1], symbol, bool(roles & 1)))
        yield path, occurrences
