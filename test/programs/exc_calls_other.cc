int chosen = -1, logged = 0;
void may_throw(int i) {
  if (i == chosen)
    throw i;
  ++logged;
}
