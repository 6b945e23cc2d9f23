/** Which names a provider takes. */
export interface NameRule {
  /** Characters beside letters and digits of ASCII, for example `_-`. */
  marks: string
  /** Whether the first character has to be a letter or `_`. */
  startsWithLetter: boolean
  /** In characters. */
  maxLength: number
}

/** Gives each name the nearest one that a rule takes and that was not given before. */
export function createClaims(rule: NameRule): (name: string) => string {
  const given = new Set<string>()
  const counts = new Map<string, number>()
  return (name) => {
    const base = fitName(name, rule)
    let claimed = base
    // Counted per name, so that a thousand of the same take no million tries.
    let count = counts.get(base) ?? 1
    while (given.has(claimed)) {
      count += 1
      const end = `_${count}`
      claimed = base.slice(0, rule.maxLength - end.length) + end
    }
    counts.set(base, count)
    given.add(claimed)
    return claimed
  }
}

/** Whether a rule takes a name as it is. */
export function fitsRule(name: string, rule: NameRule): boolean {
  return name !== '' && fitName(name, rule) === name
}

function fitName(name: string, rule: NameRule): string {
  const plain = name.slice(0, rule.maxLength).replaceAll(foreignTo(rule), '_')
  if (plain !== '' && (!rule.startsWithLetter || /^[A-Za-z_]/.test(plain))) return plain
  return `_${plain}`.slice(0, rule.maxLength)
}

/** Thousands of parameters are held against the same few rules. */
const foreign = new Map<string, RegExp>()

/** What a rule does not take. */
function foreignTo({ marks }: NameRule): RegExp {
  const known = foreign.get(marks)
  if (known) return known
  const made = new RegExp(`[^A-Za-z0-9${marks.replaceAll(/[\]\\^-]/g, String.raw`\$&`)}]`, 'g')
  foreign.set(marks, made)
  return made
}
