"""Declared rises of kiai, and skills: who may use which, how they are declared and carried out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uma_cli.errors import Refused, Say, Word, either, say, sentence
from uma_cli.race import Effect, Field, Runner, Skill, Use, kind_of
from uma_cli.scenes.checks import check_dice
from uma_cli.table import Choice, Option, Table

NO_SKILL = "pass"


def room(field: Field, scene: str, runner: Runner) -> int:
    """G4: how far she may still declare rises of kiai in this scene."""
    return max(0, field.tables.cap_in(scene) - runner.here.rise)


def declare_kiai(field: Field, table: Table) -> Field:
    """A1, C2: rises of kiai, declared before the roll; each counts toward the cap (G4)."""
    rises = table.choose(
        field,
        "kiai",
        (_rise_choice(field, runner, room(field, table.scene, runner)) for runner in field),
        optional=True,
    )
    for name, rise in rises.items():
        if rise:
            now = field[name].kiai
            table.tell(
                say("{name} raises kiai by {n}: {now} becomes {then}", name=name, n=rise, now=now, then=now + rise)
            )
    return field.put(*(_declares(field[name], rise) for name, rise in rises.items()))


def _declares(runner: Runner, rise: int) -> Runner:
    return runner.risen(rise)._replace(here=runner.here._replace(rise=runner.here.rise + max(0, rise)))


def _rise_choice(field: Field, runner: Runner, left: int) -> Choice[int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 8):
            raise Refused(say("want a number, 0 to decline"))
        if int(text) > left:
            raise Refused(say("{left} is left of the cap on rises of kiai in this scene", left=left))
        return int(text)

    def options() -> list[Option]:
        rises = [Option("0", say("no rise"))]
        for rise in range(1, left + 1):
            dice = str(check_dice(field, runner.risen(rise)))
            rises.append(Option(str(rise), say("{effect} ({dice})", effect=_becomes(runner, rise), dice=dice)))
        return rises

    return Choice(runner.name, read, options)


def _becomes(runner: Runner, rise: int) -> Say:
    return say("kiai {now} becomes {then}", now=runner.kiai, then=runner.risen(rise).kiai)


def usable(field: Field, scene: str, runner: Runner) -> list[Skill]:
    """The skills she could use now: scene, uses, position, cap (G4, S1), and somebody to name (F2)."""
    left = room(field, scene, runner)
    return [
        skill
        for skill in runner.skills.values()
        if kind_of(scene) in skill.when
        and runner.left(skill) > 0
        and stands_for(runner, skill)
        and skill.cost <= left
        and (not skill.needs_target or len(field) > 1)
    ]


def scenes_of(skill: Skill) -> list[object]:
    """The scenes that a skill is for."""
    return [say("corners") if kind == "corner" else Word(kind) for kind in skill.when]


def stands_for(runner: Runner, skill: Skill) -> bool:
    """S1: whether she is in the position that a skill needs; before the gate nobody is in any."""
    return not skill.position or (runner.position is not None and runner.position.within(skill.position))


def use_at_once(field: Field, table: Table) -> Field:
    """C2, F2: all who hold a skill they could use are asked at once, and declare in the field's order."""
    holders = [runner for runner in field if usable(field, table.scene, runner)]
    hear_the_idle(field, table, [runner.name for runner in holders])
    declared = table.choose(field, "skill", [skill_choice(field, table.scene, runner) for runner in holders])
    for uses in declared.values():
        field = declare_uses(field, uses)
    return carry_out(field, table)


def hear_the_idle(field: Field, table: Table, asked: Sequence[str]) -> None:
    """What is declared by those who are not asked, because none of their skills can be used here, does not act.

    Only what would pass the cap is refused (G4).
    """
    idle = [runner for runner in field if runner.skills and runner.name not in asked]
    choices = [_idle_choice(field, table.scene, runner) for runner in idle]
    for reasons in table.choose(field, "skill", choices, optional=True).values():
        for reason in reasons:
            table.tell(reason)


def _idle_choice(field: Field, scene: str, runner: Runner) -> Choice[list[Say]]:
    def read(text: str) -> list[Say]:
        names = [part.partition("@")[0].strip() for part in text.split(";")]
        skills = [runner.skills[name] for name in names if name in runner.skills]
        _within_cap(field, scene, runner, sum(skill.cost for skill in skills if kind_of(scene) in skill.when))
        return [
            say("{user}'s {skill} does not act: {why}", user=runner.name, skill=skill.name, why=why)
            for skill in skills
            if (why := why_not(field, scene, runner, skill))
        ]

    return Choice(runner.name, read)


def _within_cap(field: Field, scene: str, runner: Runner, cost: int) -> None:
    left = room(field, scene, runner)
    if cost > left:
        raise Refused(say("it costs {cost} kiai, and {left} is left of the cap", cost=cost, left=left))


def skill_choice(field: Field, scene: str, runner: Runner) -> Choice[tuple[Use, ...]]:
    """S2: what she may declare: nothing, or skills in an order of her own."""

    def read(text: str) -> tuple[Use, ...]:
        if text == NO_SKILL:
            return ()
        uses = tuple(_read_use(part.strip(), field, scene, runner) for part in text.split(";"))
        names = [use.skill.name for use in uses]
        if len(set(names)) < len(names):
            raise Refused(say("a skill can be used once in a scene"))
        _within_cap(field, scene, runner, sum(use.skill.cost for use in uses))
        return uses

    def options() -> list[Option]:
        chances = [Option(NO_SKILL, say("no skill"))]
        for skill in usable(field, scene, runner):
            chances += [Option(str(use), _means(field, use)) for use in _ways(field, runner, skill)]
        return chances

    return Choice(runner.name, read, options, about=lambda: _not_now(field, scene, runner))


def _not_now(field: Field, scene: str, runner: Runner) -> list[Say]:
    """The skills for this scene that she has left and cannot use now, and why."""
    can = usable(field, scene, runner)
    return [
        say("not now: {skill} ({why})", skill=skill.name, why=why_not(field, scene, runner, skill))
        for skill in runner.skills.values()
        if skill not in can and kind_of(scene) in skill.when and runner.left(skill) > 0
    ]


def _ways(field: Field, runner: Runner, skill: Skill) -> list[Use]:
    """Every way to use a skill: on each of the others, and to cancel each skill that one has declared."""
    if not skill.needs_target:
        return [Use(runner.name, skill)]
    ways = []
    for other in field:
        if other is not runner:
            ways.append(Use(runner.name, skill, other.name))
            if skill.cancels:
                declared = [use.skill.name for use in field.uses if use.user == other.name]
                ways += [Use(runner.name, skill, other.name, name) for name in declared[1:]]
    return ways


def _means(field: Field, use: Use) -> Say:
    parts = effects(use, _herself(field, field[use.user], use.skill))
    if use.skill.cancels:
        hit = _aimed_at(field.uses, use)
        if hit is not None:
            parts.append(say("cancels her {skill}", skill=field.uses[hit].skill.name))
        elif use.target is not None and field[use.target].skills:
            parts.append(say("cancels what she may still declare"))
        else:
            parts.append(say("no effect: she has no skill to cancel"))
    if use.skill.text:
        parts.append(say("{text}", text=use.skill.text))
    return say("{effects}", effects=parts)


def _herself(field: Field, runner: Runner, skill: Skill) -> list[Say]:
    """What a skill makes of her kiai and of her dice, as she stands now."""
    parts = [_becomes(runner, skill.kiai)] if skill.kiai else []
    parts += [say("dice {n}", n=f"{skill.dice:+d}")] if skill.dice else []
    if not parts:
        return []
    then = runner.risen(skill.kiai)
    dice = check_dice(field, then._replace(here=then.here._replace(dice=then.here.dice + skill.dice)))
    return [*parts[:-1], say("{effect} ({dice})", effect=parts[-1], dice=str(dice))]


def effects(use: Use, herself: Sequence[Say] | None = None) -> list[Say]:
    """What a skill does to her who uses it, and to whom she names; `herself` tells of her kiai and dice instead."""
    skill = use.skill
    own = ((sentence("kiai {n}"), skill.kiai), (sentence("dice {n}"), skill.dice))
    numbers = (
        *(own if herself is None else ()),
        (sentence("{n} on each check of this scene"), skill.bonus),
        (sentence("position number {n}, up to 0"), skill.soften),
        (sentence("{target}'s kiai {n}"), skill.target_kiai),
        (sentence("{n} on each of {target}'s checks in this scene"), skill.target_bonus),
    )
    parts = [say(text, n=f"{amount:+d}", target=use.target or say("the other")) for text, amount in numbers if amount]
    parts = [*(herself or ()), *parts]
    return [*parts, say("grants {position}", position=skill.place)] if skill.place else parts


def _read_use(text: str, field: Field, scene: str, runner: Runner) -> Use:
    name, at, on = text.partition("@")
    skill = runner.skills.get(name.strip())
    if skill is None:
        known = ", ".join(runner.skills) or say("none")
        raise Refused(say("`{skill}` is no skill of hers; she has: {known}", skill=name.strip(), known=known))
    if skill not in usable(field, scene, runner):
        raise Refused(
            say("`{skill}` cannot be used: {why}", skill=skill.name, why=why_not(field, scene, runner, skill))
        )
    target, colon, target_skill = (part.strip() for part in on.partition(":"))
    if not skill.needs_target:
        if at:
            raise Refused(say("`{skill}` names nobody", skill=skill.name))
        return Use(runner.name, skill)
    if target not in field or target == runner.name:
        others = ", ".join(other.name for other in field if other is not runner)
        raise Refused(say("`{skill}` wants another runner after @, one of: {others}", skill=skill.name, others=others))
    if not colon:
        return Use(runner.name, skill, target)
    if not skill.cancels:
        raise Refused(say("`{skill}` cancels no skill; name only {target}", skill=skill.name, target=target))
    if target_skill not in field[target].skills:
        known = ", ".join(field[target].skills) or say("none")
        raise Refused(
            say(
                "`{wanted}` is no skill of {target} to cancel; she has: {known}",
                wanted=target_skill,
                target=target,
                known=known,
            )
        )
    return Use(runner.name, skill, target, target_skill)


def why_not(field: Field, scene: str, runner: Runner, skill: Skill) -> Say:
    """Why a skill of hers cannot be used now."""
    if kind_of(scene) not in skill.when:
        return say("it can only be used in: {scenes}", scenes=scenes_of(skill))
    if runner.left(skill) <= 0:
        return say("it is used up")
    if not stands_for(runner, skill):
        return say("it needs the position {positions}", positions=either(skill.position))
    if skill.cost > room(field, scene, runner):
        left = room(field, scene, runner)
        return say("it costs {cost} kiai, and {left} is left of the cap", cost=skill.cost, left=left)
    return say("there is nobody to name")


def declare_uses(field: Field, uses: Iterable[Use]) -> Field:
    """What a runner declares is used and counts toward the cap, whatever becomes of it (F2, G4)."""
    for use in uses:
        runner = field[use.user]
        here = runner.here._replace(rise=runner.here.rise + use.skill.cost)
        used = {**runner.used, use.skill.name: runner.used.get(use.skill.name, 0) + 1}
        field = field.replace(uses=(*field.uses, use)).put(runner._replace(here=here, used=used))
    return field


def carry_out(field: Field, table: Table) -> Field:
    """F2, S2: first the cancels, from the last declared to the first; then all in the order declared.

    The kiai of a cancelled skill is paid all the same.
    """
    cancelled = _cancelled(field.uses, table)
    for index, use in enumerate(field.uses):
        field = field.put(field[use.user].risen(use.skill.kiai))
        if index not in cancelled:
            field = _act(field, use)
            if does := effects(use):
                table.tell(say("{user}'s {skill}: {effects}", user=use.user, skill=use.skill.name, effects=does))
        elif use.skill.kiai:
            cost = f"{use.skill.kiai:+d}"
            lost = say("{user}'s {skill} has no effect", user=use.user, skill=use.skill.name)
            table.tell(say("{lost}; its kiai {cost} is paid all the same", lost=lost, cost=cost))
    return field


def _cancelled(uses: Sequence[Use], table: Table) -> set[int]:
    cancelled: set[int] = set()
    for index in reversed(range(len(uses))):
        use = uses[index]
        if not use.skill.cancels or index in cancelled:
            continue
        hit = _aimed_at(uses, use)
        if hit is None:
            table.tell(
                say(
                    "{user}'s {skill} finds nothing of {target}'s to cancel",
                    user=use.user,
                    skill=use.skill.name,
                    target=use.target,
                )
            )
        else:
            cancelled.add(hit)
            table.tell(
                say(
                    "{user}'s {skill} cancels {target}'s {other}",
                    user=use.user,
                    skill=use.skill.name,
                    target=use.target,
                    other=uses[hit].skill.name,
                )
            )
    return cancelled


def _aimed_at(uses: Sequence[Use], cancel: Use) -> int | None:
    """What a cancel names: that skill of hers, else the first that she declares in this scene (F2)."""
    for index, use in enumerate(uses):
        if use.user == cancel.target and cancel.target_skill in (None, use.skill.name):
            return index
    return None


def _act(field: Field, use: Use) -> Field:
    skill = use.skill
    user = field[use.user].feels(Effect(skill.name, skill.bonus))
    here = user.here._replace(
        dice=user.here.dice + skill.dice,
        soften=user.here.soften + skill.soften,
        grant=skill.place or user.here.grant,
    )
    field = field.put(user._replace(here=here))
    if use.target is None:
        return field
    return field.put(field[use.target].risen(skill.target_kiai).feels(Effect(skill.name, skill.target_bonus)))
