/**
 * Whether a placeholder, such as `['tool', 'arguments', 'range', 'first']`, stands for one of these arguments or for a part of one.
 * They are named as in placeholders, `range.first`; `*` in one stands for any item of a list.
 */
export function covers(
  names: readonly string[],
  [root, field, ...path]: readonly string[],
): boolean {
  if (root !== 'tool' || field !== 'arguments' || path.length === 0) return false
  return names.some((name) => {
    const steps = name.split('.')
    return (
      steps.length <= path.length && steps.every((step, at) => step === '*' || step === path[at])
    )
  })
}
