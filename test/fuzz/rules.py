"""The functions of <cmath> that the plugin has rules for, with arguments kept where they are smooth and tame.

Each entry is (pattern, bound): in the pattern {0} {1} {2} stand for any expressions of the scalar type, L(c) for a
literal of it, N for a small integer; bound is the largest magnitude of the value, None if it is that of {0}.
"""

ONE = [
    ("sin({0})", 1), ("cos({0})", 1), ("tan(L(0.4) * sin({0}))", 0.5), ("tan(L(0.3) * {0})", 0.8),
    ("asin(L(0.8) * sin({0}))", 1), ("acos(L(0.7) * tanh({0}))", 2.4), ("atan({0})", 1.6), ("atan(L(2) * {0})", 1.6),
    ("sinh(L(0.5) * sin({0}))", 0.6), ("cosh(L(0.4) * {0})", 1.4), ("tanh({0})", 1), ("tanh(L(1.5) * {0})", 1),
    ("asinh({0})", 1.6), ("acosh(L(1.5) + {0} * {0})", 2.4), ("atanh(L(0.6) * sin({0}))", 0.7),
    ("exp(-({0} * {0}))", 1), ("exp(L(0.5) * sin({0}))", 1.7), ("exp2(L(0.4) * {0})", 2), ("exp10(L(0.2) * sin({0}))", 1.6),
    ("expm1(L(0.4) * tanh({0}))", 0.5), ("log(L(1.5) + {0} * {0})", 2), ("log(L(2.5) + sin({0}))", 1.3),
    ("log2(L(1.2) + {0} * {0})", 2.4), ("log10(L(1.1) + {0} * {0})", 1), ("log1p({0} * {0})", 1.7),
    ("sqrt(L(0.5) + {0} * {0})", 2.2), ("sqrt(L(1.7) + cos({0}))", 1.7), ("cbrt(L(0.6) + {0} * {0})", 1.7),
    ("cbrt(L(3) + {0})", 1.8), ("erf({0})", 1), ("erfc({0})", 2), ("lgamma(L(2.5) + sin({0}))", 1.3),
    ("tgamma(L(2.2) + L(0.5) * cos({0}))", 1.6), ("fabs({0})", None), ("fabs(L(0.3) + {0})", 2.3),
    ("ldexp({0}, N)", 4), ("powi(L(1.3) + L(0.5) * sin({0}), N)", 4), ("powi({0}, 3)", 8), ("powi({0}, 2)", 4),
    ("pow({0}, L(2))", 4), ("pow({0}, L(3))", 8), ("pow(L(1.2) + {0} * {0}, L(0.5))", 2.3),
    ("pow(L(1.5) + sin({0}), L(1.7))", 4.5), ("pow(L(1.4), {0})", 2), ("-{0}", None), ("({0} * {0})", 4),
    ("(L(1) / (L(1.5) + {0} * {0}))", 0.7), ("({0} / (L(1) + fabs({0})))", 1),
]

# Steps: no derivative passes, so they are chosen less often.
STEPS = [
    ("floor(L(1.7) * {0})", 3), ("ceil(L(1.3) * {0})", 3), ("trunc(L(1.9) * {0})", 3), ("round(L(2.3) * {0})", 4),
    ("rint(L(1.1) * {0})", 2), ("nearbyint(L(1.4) * {0})", 3), ("roundeven(L(1.6) * {0})", 3),
]

TWO = [
    ("atan2({0}, L(1.5) + {1} * {1})", 1.6), ("atan2({0}, {1})", 3.2), ("hypot({0}, L(0.8) + {1} * {1})", 4),
    ("pow(L(1.2) + L(0.5) * sin({0}), {1})", 3), ("fmax({0}, {1})", None), ("fmin({0}, {1})", None),
    ("fmax({0}, L(0.3) * {1})", None), ("fdim({0}, {1})", 4), ("fmod(L(1.9) * {0}, L(1.3) + {1} * {1})", 4),
    ("remainder(L(1.7) * {0}, L(1.6) + sin({1}))", 2), ("copysign({0}, {1})", None), ("copysign(L(0.4) + {0} * {0}, {1})", 4.4),
    ("({0} / (L(2) + sin({1})))", 2), ("({0} / (L(1.2) + {1} * {1}))", 1.7), ("({0} * {1})", 4), ("({0} + {1})", 4),
    ("({0} - {1})", 4), ("({0} + L(0.5) * {1})", 3), ("({0} * {1} - {1})", 6), ("(L(0.75) * {0} - {1})", 4),
]

THREE = [("fma({0}, {1}, {2})", 6), ("({0} * {1} + {2})", 6), ("({0} * {1} - {2})", 6), ("({0} + {1} * {2})", 6)]
