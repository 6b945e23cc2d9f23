import { runsOf, type CodePoints } from './code-points.ts'

/** A part of a pattern, written for the linear engine. */
export interface LinearSource {
  source: string
  /** Steps of the compiled program, roughly. */
  size: number
  /** UTF-16 units of the longest text it matches. */
  longest: number
}

/** What is written as it stands, and matches no character. */
export function assertion(source: string): LinearSource {
  return { source, size: 1, longest: 0 }
}

/** Any one of some code points, each written as a number: no character has a meaning of its own. */
export function oneOf(set: CodePoints): LinearSource {
  const runs = runsOf(set)
  const longest = runs.some(([, last]) => last > 0xffff) ? 2 : 1
  const size = 1 + Math.floor(runs.length / 64)
  const [first] = runs
  if (first === undefined) return { source: `[^${run([0, 0x10ffff])}]`, size, longest }
  if (runs.length === 1 && first[0] === first[1]) return { source: hex(first[0]), size, longest }
  return { source: `[${runs.map(run).join('')}]`, size, longest }
}

/** One after the other. */
export function sequence(parts: readonly LinearSource[]): LinearSource {
  return {
    source: parts.map(({ source }) => source).join(''),
    size: parts.reduce((sum, { size }) => sum + size, 0),
    longest: parts.reduce((sum, { longest }) => sum + longest, 0),
  }
}

/** One or the other. */
export function alternatives(parts: readonly LinearSource[]): LinearSource {
  return {
    source: `(?:${parts.map(({ source }) => source).join('|')})`,
    size: parts.reduce((sum, { size }) => sum + size + 1, 0),
    longest: parts.reduce((most, { longest }) => Math.max(most, longest), 0),
  }
}

/** What the engine takes as one count. */
const MOST_AT_ONCE = 1000

/** The same again; greedy or not finds the same texts. */
export function repetition(part: LinearSource, min: number, max: number): LinearSource {
  const group = `(?:${part.source})`
  const optional = max === Infinity ? Number(min === 0) : max - min
  return {
    source: quantifiers(min, max)
      .map((quantifier) => group + quantifier)
      .join(''),
    size: part.size * min + (part.size + 1) * optional + 1,
    longest: part.longest === 0 || max === 0 ? 0 : part.longest * max,
  }
}

function quantifiers(min: number, max: number): string[] {
  const always = chunks(min).map((count) => `{${count}}`)
  if (max === Infinity) return [...always, '*']
  return max === 0 ? ['{0}'] : [...always, ...chunks(max - min).map((count) => `{0,${count}}`)]
}

function chunks(count: number): number[] {
  const full = Array.from({ length: Math.floor(count / MOST_AT_ONCE) }, () => MOST_AT_ONCE)
  const rest = count % MOST_AT_ONCE
  return rest === 0 ? full : [...full, rest]
}

function run([first, last]: readonly [number, number]): string {
  return first === last ? hex(first) : `${hex(first)}-${hex(last)}`
}

function hex(point: number): string {
  return `\\x{${point.toString(16)}}`
}
