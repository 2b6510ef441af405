"""check_picture.py PICTURE: the sample's picture has four drawings: none of its quarters is empty, and their colors are those of what is drawn."""

import sys

import numpy as np
from PIL import Image


def main():
    picture = np.asarray(Image.open(sys.argv[1]).convert("RGB"), float)
    height, width, _ = picture.shape
    assert height > 800 and width > 800, picture.shape
    quarters = [picture[y:y + height // 2, x:x + width // 2] for y in (0, height // 2) for x in (0, width // 2)]
    for i, quarter in enumerate(quarters):
        drawn = (quarter.min(axis=2) < 240).mean()
        assert 0.1 < drawn < 0.9, (i, drawn)

    def share(quarter, color):
        return (np.abs(quarter - color).max(axis=2) < 40).mean()

    # The orange of the knot, the blue of the second one, and many colors of parts.
    assert share(quarters[0], [190, 125, 70]) > 0.05, share(quarters[0], [190, 125, 70])
    assert share(quarters[3], [215, 130, 55]) > 0.03 and share(quarters[3], [85, 135, 175]) > 0.03
    assert len(np.unique(quarters[2][::7, ::7].reshape(-1, 3) // 32, axis=0)) > 25
    print("python picture: four drawings")


if __name__ == "__main__":
    main()
