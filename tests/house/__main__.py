"""Print the rooms in the order of their imports, with an arrow to each room that one imports."""

from tests.house.imports import files, imports
from tests.house.plan import FACES, ROOMS, room_of

arrows: dict[int, set[int]] = {number: set() for number in range(len(ROOMS))}
sizes = dict.fromkeys(arrows, (0, 0))
for file in files():
    number = room_of(file)
    if file in FACES or number is None:
        continue
    n_files, n_lines = sizes[number]
    sizes[number] = n_files + 1, n_lines + len(file.read_text(encoding="utf-8").splitlines())
    arrows[number] |= {other for other in map(room_of, imports(file) - FACES) if other not in (None, number)}
for number, room in enumerate(ROOMS):
    n_files, n_lines = sizes[number]
    below = ", ".join(ROOMS[other].name for other in sorted(arrows[number])) or "nothing"
    print(f"{room.name}  ({n_files} files, {n_lines} lines)\n    -> {below}")
