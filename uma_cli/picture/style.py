"""The colours and shapes of the picture of a race, light and dark."""

from __future__ import annotations

from uma_cli.picture.plan import SIZES

PAGE, INK, SOFT, BAND = ("#ffffff", "#14171b"), ("#1b1e22", "#eceff3"), ("#515760", "#b3bac4"), ("#f1f3f6", "#1f242b")
LINES = (
    ("#008aee", "#52a9f3"),
    ("#df5e05", "#cf5313"),
    ("#2c644e", "#00ff89"),
    ("#b66ea3", "#b2508e"),
    ("#713505", "#ffce06"),
    ("#4602d4", "#7e60ff"),
    ("#1b1e22", "#eceff3"),
    ("#6b3c91", "#969471"),
)
"""The colours of the runners, apart for any colour vision; as all colours first on a light page, then on a dark one."""
DASHES = ("none", "10 4", "3 3", "14 4 3 4", "6 3", "18 5", "8 3 3 3 3 3", "2 5")
FONTS = (
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Hiragino Sans','Yu Gothic',Meiryo,"
    "'PingFang TC','PingFang SC','Microsoft JhengHei','Microsoft YaHei','Noto Sans CJK TC','Noto Sans CJK JP',"
    "'Noto Sans TC','Noto Sans JP','Source Han Sans','WenQuanYi Micro Hei',sans-serif"
)
SHAPES = (
    ".uma{max-width:100%;height:auto}.uma text{font-family:" + FONTS + ";white-space:pre}"
    ".uma .end{text-anchor:end}.uma .mid{text-anchor:middle}.uma .title,.uma .kiai,.uma .head{font-weight:600}"
    ".uma .over{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}"
    ".uma .way{fill:none;stroke-width:3px}.uma .node{stroke-width:2.5px}.uma .ring{stroke-width:1.5px}"
    ".uma .past{stroke-dasharray:3 3}.uma .sign{stroke-width:1.5px}"
    ".uma .axis{stroke-opacity:.6}.uma .wire{stroke-width:2px;stroke-opacity:1}"
)
COLOURS = (
    (".page .node .ring .sign .spikes", "fill", PAGE),
    ("", "background", PAGE),
    ("text", "fill", INK),
    (".note .band", "fill", SOFT),
    (".lane", "fill", BAND),
    (".over", "stroke", PAGE),
    (".axis", "stroke", SOFT),
    (".wire .ring .plain .sign .spikes", "stroke", INK),
)


def _style() -> str:
    """How all looks: shapes, then the colours on a light page, then those on a dark one."""
    sizes = "".join(f".uma .{kind}{{font-size:{size}px}}" for kind, size in SIZES.items())
    return f"{SHAPES}{sizes}{_colours(0)}@media (prefers-color-scheme:dark){{{_colours(1)}}}"


def _colours(dark: int) -> str:
    rules = [(f".line-{index}", "stroke", pair) for index, pair in enumerate(LINES)]
    return "".join(
        f"{','.join(f'.uma {name}' for name in names.split()) or '.uma'}{{{what}:{pair[dark]}}}"
        for names, what, pair in (*COLOURS, *rules)
    )


STYLE = _style()
