"""A program as C++: its templates, the State that holds its memory, and the calls of the plugin for each mode."""
import re

from tree import function_text

MODES = ["forward", "reverse", "fof", "for", "rof", "ror", "batch"]
NESTED = {"fof": "forward_forward", "for": "forward_reverse", "rof": "reverse_forward", "ror": "reverse_reverse"}
LANES = ["separate", "strided", "interleaved"]


def result_struct(members, name):
    """(type, its declaration) of a call's result; members: (type, name), an array where there are lanes."""
    if not members:
        return "void", ""
    if len(members) == 1 and not members[0][1].endswith("]"):
        return members[0][0], ""
    return name, f"struct {name} {{ " + " ".join(f"{t} {m};" for t, m in members) + " };\n"


class Emitter:
    def __init__(self, program, modes, options=None):
        self.p = program
        self.modes = modes
        self.results = 0
        self.options = {**program.options, **(options or {})}

    # ---- the state

    def members(self):
        """(declaration, slots, init) of each member of State."""
        p = self.p
        for a in p.parameters:
            role = f"Role::{a.role}"
            if a.kind == "array":
                yield f"{a.type} {a.name}[{a.length}];", f"o.real(s.{a.name}, {a.length}, {role});", ""
            elif a.kind == "scalar":
                yield f"{a.type} {a.name};", f"o.real(&s.{a.name}, 1, {role});", ""
            elif a.kind == "ints":
                values = ", ".join(str((i * 5 + p.seed + i * i) % a.values) for i in range(a.length))
                yield (f"int {a.name}[{a.length}];", f"o.same(s.{a.name}, {a.length});",
                       f"const int {a.name}_values[] = {{{values}}};\n  memcpy(s.{a.name}, {a.name}_values, sizeof s.{a.name});")
            elif a.kind == "record":
                yield self.record_member(a)
            elif a.kind == "table":
                yield (f"{a.type} *{a.name}[{a.values}], {a.name}_data[{a.values}][{a.length}];",
                       f"o.pointer(s.{a.name}, {a.values});\n  for (auto &row : s.{a.name}_data) o.real(row, {a.length}, {role});",
                       f"for (int i = 0; i < {a.values}; ++i) s.{a.name}[i] = s.{a.name}_data[i];")
        if p.result:
            yield f"{p.result} ret;", "o.real(&s.ret, 1, Role::result);", ""

    def record_member(self, a):
        rec, slots, init = self.p.record, [], []
        for name, _, length in rec.floats:
            slots.append(f"o.real({'' if length else '&'}r.{name}, {length or 1}, Role::memory);")
        slots.append("o.same(&r.k, 1);")
        init.append(f"s.{a.name}[i].k = (i * 3 + {self.p.seed % 4}) % 4;")
        if rec.linked:
            slots.append("o.pointer(&r.next, 1);")
            init.append(f"s.{a.name}[i].next = i + 1 < {a.length} ? s.{a.name} + i + 1 : 0;")
        if rec.points_to:
            slots.append("o.pointer(&r.p, 1);")
            init.append(f"s.{a.name}[i].p = s.{rec.points_to.name};")
        return (f"Rec<D, F> {a.name}[{a.length}];", f"for (auto &r : s.{a.name}) {{ {' '.join(slots)} }}",
                f"for (int i = 0; i < {a.length}; ++i) {{ {' '.join(init)} }}")

    def record_text(self):
        rec = self.p.record
        if not rec:
            return ""
        fields = {name: f"{t} {name}" + (f"[{length}];" if length else ";") for name, t, length in rec.floats}
        fields.update(k="int k;", next="Rec *next;")
        if rec.points_to:
            fields["p"] = f"{rec.points_to.type} *p;"
        return "template <class D, class F> struct Rec { " + " ".join(fields[name] for name in rec.order) + " };\n"

    def state_text(self):
        members = list(self.members())
        fields, slots, init = [], [], []
        for i, (declaration, slot, start) in enumerate(members):
            fields.append(f"  {declaration} double guard{i};")
            slots.append(f"  {slot} o.same(&s.guard{i}, 1);")
            init += [f"  {start}"] * bool(start) + [f"  s.guard{i} = NAN;"]
        tp = "template <class D, class F> "
        return "\n".join([
            f"{tp}struct State {{", *fields, "};",
            f"{tp}void slots(State<D, F> &s, Layout &o) {{", *slots, "}",
            f"{tp}void start(State<D, F> &s) {{", *init, "}",
        ])

    def templates(self):
        """The program alone."""
        p = self.p
        forward = "".join(f.head + ";\n" for f in p.functions[:-1])
        return self.record_text() + forward + "\n".join(function_text(f) for f in p.functions)

    def at(self, a, state):
        """The parameter's value in a State."""
        if a.kind == "int":
            return str(a.values)
        if a.kind == "alias":
            return f"{state}.{a.target.name} + {a.shift}"
        return f"{state}.{a.name}"

    # ---- calls of the plugin

    def mark(self, word, *values):
        """An argument, without its marker where the default says the same."""
        default = {"dup", "out", "const"}
        bare = self.options["bare"] and word in default
        return ", ".join([*([] if bare else [f"tapefree_{word}"]), *values])

    def constant(self, a, text):
        return self.mark("const", text) if a.kind == "int" else f"tapefree_const, {text}"

    def call(self, word, function, arguments, members, stores, primal_return, head=()):
        """(declarations, lines) of a call: stores are statements about its result r, a struct or a plain value."""
        self.results += 1
        name, struct = result_struct(members, f"R{self.results}")
        options = [*head, *(["tapefree_primal_return"] if primal_return else [])]
        text = ", ".join([f"(void *){function}", *options, *arguments])
        call = f"__tapefree_{word}<{name}>({text});"
        return struct, (f"  {name} r = {call}\n" if members else f"  {call}\n") + "".join(f"  {s}\n" for s in stores)

    @staticmethod
    def defined(head, call):
        struct, lines = call
        return f"{struct}{head} {{\n{lines}}}\n"

    def member(self, members, name):
        return "r" if len(members) == 1 and not members[0][1].endswith("]") else f"r.{name}"

    def reverse(self, word="dup", seeded=True, name="reverse"):
        p, arguments, members, stores = self.p, [], [], []
        value = bool(p.result) and self.options["primal_return"]
        if value:
            members.append((p.result, "value"))
        for a in p.parameters:
            x = self.at(a, "s")
            if not a.active:
                arguments.append(self.constant(a, x))
            elif a.kind == "scalar":
                arguments.append(self.mark("out", x))
                members.append((a.type, f"d_{a.name}"))
            else:
                arguments.append(self.mark("dupnoneed" if a.role == "unneeded" else word, x, self.at(a, "d")))
        if p.result and seeded:
            arguments.append("d.ret")
        for t, m in members:
            to = "s.ret" if m == "value" else f"d.{m[2:]}"
            stores.append(f"{to} = {self.member(members, m)};")
        call = self.call("autodiff", "primal", arguments, members, stores, value)
        return self.defined(f"void {name}(S &s, S &d)", call)

    def forward(self):
        p, arguments, members = self.p, [], []
        value = bool(p.result) and self.options["primal_return"]
        members = [(p.result, "value")] * value + [(p.result, "tangent")] * bool(p.result)
        for a in p.parameters:
            x = self.at(a, "s")
            word = "dupnoneed" if a.role == "unneeded" else "dup"
            arguments.append(f"tapefree_{word}, {x}, {self.at(a, 'd')}" if a.active else self.constant(a, x))
        stores = [f"s.ret = {self.member(members, 'value')};"] * value
        stores += [f"d.ret = {self.member(members, 'tangent')};"] * bool(p.result)
        return self.defined("void forward(S &s, S &d)", self.call("fwddiff", "primal", arguments, members, stores, value))

    # ---- nestings: an inner function with all it needs as parameters, then the outer call

    def inner(self, mode):
        """The derivative as an ordinary function: reverse or forward, over everything."""
        p, parameters, arguments, members, stores = self.p, [], [], [], []
        is_reverse = mode == "reverse"
        if p.result:
            members.append((p.result, "value"))
        for a in p.parameters:
            parameters.append(a.declaration())
            if not a.active:
                arguments.append(self.constant(a, a.name))
            elif a.kind != "scalar":
                parameters.append(a.declaration(f"d_{a.name}", shadow=True))
                arguments.append(f"tapefree_dup, {a.name}, d_{a.name}")
            elif is_reverse:
                parameters.append(f"{a.type} *d_{a.name}")
                arguments.append(self.mark("out", a.name))
                members.append((a.type, f"d_{a.name}"))
            else:
                parameters.append(f"{a.type} d_{a.name}")
                arguments.append(f"tapefree_dup, {a.name}, d_{a.name}")
        if p.result:
            parameters += [f"{p.result} *ret", f"{p.result} {'' if is_reverse else '*'}d_ret"]
            if is_reverse:
                arguments.append("d_ret")
            else:
                members.append((p.result, "d_ret"))
        for t, m in members:
            stores.append(f"*{'ret' if m == 'value' else m} = {self.member(members, m)};")
        word = "autodiff" if is_reverse else "fwddiff"
        call = self.call(word, "primal", arguments, members, stores, bool(p.result))
        return self.defined(f"static void inner_{mode}({', '.join(parameters)})", call)

    def nested(self, mode):
        p, arguments, members, stores = self.p, [], [], []
        outer_reverse, inner = mode[0] == "r", "reverse" if mode[2] == "r" else "forward"
        for a in p.parameters:
            x, d, t, td = (self.at(a, v) for v in ("s", "d", "t", "td"))
            if not a.active:
                arguments.append(self.constant(a, x))
            elif a.kind != "scalar":
                arguments += [f"tapefree_dup, {x}, {t}", f"tapefree_dup, {d}, {td}"]
            else:
                for value, shadow, pointer in ((x, t, False), (d, td, inner == "reverse")):
                    if pointer:
                        arguments.append(f"tapefree_dup, &{value}, &{shadow}")
                    elif outer_reverse:
                        arguments.append(self.mark("out", value))
                        members.append((a.type, shadow))
                    else:
                        arguments.append(f"tapefree_dup, {value}, {shadow}")
        if p.result:
            arguments.append("tapefree_dup, &s.ret, &t.ret")
            if inner == "forward":
                arguments.append("tapefree_dup, &d.ret, &td.ret")
            elif outer_reverse:
                arguments.append(self.mark("out", "d.ret"))
                members.append((p.result, "td.ret"))
            else:
                arguments.append("tapefree_dup, d.ret, td.ret")
        places = [m for _, m in members]
        members = [(t, f"m{i}") for i, (t, _) in enumerate(members)]
        stores = [f"{place} = {self.member(members, m)};" for place, (_, m) in zip(places, members)]
        word = "autodiff" if outer_reverse else "fwddiff"
        call = self.call(word, f"inner_{inner}", arguments, members, stores, False)
        return self.defined(f"void {NESTED[mode]}(S &s, S &d, S &t, S &td)", call)

    # ---- batches

    def batch(self, forward):
        p, n, lanes = self.p, self.options["width"], self.options["lanes"]
        arguments, members, stores = [], [], []
        value = bool(p.result) and self.options["primal_return"]
        members = [(p.result, "value")] * value
        for a in p.parameters:
            x = self.at(a, "s")

            def lane(k, a=a, x=x):
                field = f"&{x}" if a.kind == "scalar" else x
                return f"{'*' if a.kind == 'scalar' else ''}d.at(&s, {field}, {k})"

            if not a.active:
                arguments.append(self.constant(a, x))
            elif a.kind == "scalar":
                if forward:
                    arguments.append(", ".join(["tapefree_dup", x, *(lane(k) for k in range(n))]))
                else:
                    arguments.append(self.mark("out", x))
                    members.append((a.type, f"d_{a.name}[{n}]"))
            elif lanes == "separate":
                arguments.append(", ".join(["tapefree_dup", x, *(lane(k) for k in range(n))]))
            elif lanes == "strided":
                arguments.append(f"tapefree_dupv, (size_t)d.stride, {x}, {lane(0)}")
            else:
                arguments.append(f"tapefree_dupi, {x}, {lane(0)}")
        if forward and p.result:
            members.append((p.result, f"d_ret[{n}]"))
        for t, m in members:
            if m == "value":
                stores.append(f"s.ret = {self.member(members, m)};")
            else:
                name = m[2:m.index("[")]
                stores.append(f"for (int k = 0; k < {n}; ++k) *d.at(&s, &s.{name}, k) = r.d_{name}[k];")
        word, name = ("fwddiff", "batch_forward") if forward else ("autodiff", "batch_reverse")
        call = self.call(word, "primal", arguments, members, stores, value, (f"tapefree_width, {n}",))
        return self.defined(f"void {name}(S &s, Shadows d)", call)

    # ---- a unit's part

    def calls(self):
        """(text, {field of Case: function})."""
        text, fields, modes = [], {}, self.modes
        if "forward" in modes or "batch" in modes:
            text.append(self.forward())
        if "reverse" in modes:
            text.append(self.reverse(seeded=True))
        for mode in ("forward", "reverse"):
            if mode in modes:
                fields[mode] = mode
            if {"fof", "rof"} & set(modes) and mode == "forward" or {"for", "ror"} & set(modes) and mode == "reverse":
                text.append(self.inner(mode))
        for mode in NESTED:
            if mode in modes:
                text.append(self.nested(mode))
                fields[NESTED[mode]] = NESTED[mode]
        if "batch" in modes:
            text += [self.reverse(seeded=False, name="single_reverse"), self.batch(True), self.batch(False)]
            fields.update(batch_forward="batch_forward", batch_reverse="batch_reverse", single_forward="forward",
                          single_reverse="single_reverse")
        return "".join(text), fields

    def plain(self):
        """The plain function, whose derivative is asked for."""
        p = self.p
        names = ", ".join(a.name for a in p.parameters)
        declarations = ", ".join(a.declaration() for a in p.parameters)
        return (f"{p.result or 'void'} primal({declarations}) {{ {'return ' if p.result else ''}f<D, F>({names}); }}\n")

    def unit(self):
        p = self.p
        text, fields = self.calls()
        arguments = ", ".join(self.at(a, "s") for a in p.parameters)
        run = f"{'s.ret = ' if p.result else ''}{{}}({arguments});"
        order = ["forward", "reverse", "forward_forward", "forward_reverse", "reverse_forward", "reverse_reverse"]
        adapters, values = [], []
        for name in [*order, "batch_forward", "batch_reverse", "single_forward", "single_reverse"]:
            if name not in fields:
                values.append("0")
                continue
            if name in NESTED.values():
                kind, use = "void *s, void *d, void *t, void *td", "*(S *)s, *(S *)d, *(S *)t, *(S *)td"
            elif name.startswith("batch"):
                kind, use = "void *s, Shadows d", "*(S *)s, d"
            else:
                kind, use = "void *s, void *d", "*(S *)s, *(S *)d"
            values.append(f"[]({kind}) {{ {fields[name]}({use}); }}")
        width = f"{self.options['width']}, {self.options['lanes']}" if "batch" in self.modes else "0, separate"
        at = {"S": "*(S *)p", "J": "*(J *)p"}
        entry = [f'"{p.name}", sizeof(S), sizeof(J), {str(p.floats).lower()}, {str(self.options["primal_return"]).lower()}']
        for word in ("slots", "start"):
            for state in "SJ":
                entry.append(f"[](void *p{', Layout &o' if word == 'slots' else ''}) {{ {word}({at[state]}"
                             f"{', o' if word == 'slots' else ''}); }}")
        entry.append("[](void *p) { S &s = *(S *)p; " + run.format("primal") + " }")
        entry.append("[](void *p) { J &s = *(J *)p; " + run.format("f<Jet<double>, Jet<float>>") + " }")
        entry += values[:6] + [width] + values[6:]
        return "\n".join([
            f"namespace {p.name} {{", self.templates(), self.state_text(),
            "typedef double D;\ntypedef float F;\ntypedef State<D, F> S;\ntypedef State<Jet<double>, Jet<float>> J;",
            self.plain() + text, "static const Case entry = {" + ",\n  ".join(entry) + "};", "}", ""])


def unit_text(emitters):
    cases = ", ".join(f"{e.p.name}::entry" for e in emitters)
    return ('#include "harness.hpp"\n' + "\n".join(e.unit() for e in emitters)
            + f"int main(int argc, char **argv) {{\n  const Case cases[] = {{{cases}}};\n"
            + f"  return run_cases(cases, {len(emitters)}, argc, argv);\n}}\n")


def untemplated(text):
    """The same as ordinary C++, for reports."""
    return re.sub(r"template <class D, class F> |<D, F>", "", text)
