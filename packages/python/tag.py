"""Names the platform of the wheel, which scripts/wheel gives in SEXTANT_WHEEL_TAG."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Tag(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["pure_python"] = False
        build_data["tag"] = os.environ["SEXTANT_WHEEL_TAG"]
