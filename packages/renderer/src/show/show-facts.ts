import { toWorkspacePath } from '@toolblocks/protocol'
import type { ShownPart } from './shown-part.ts'

/** What something is called, and what is known of it: what is not known is left out. */
export function showFacts(name: string, facts: readonly (string | undefined)[]): ShownPart {
  return { kind: 'facts', name, facts: getKnown(facts) }
}

/** The facts there are. */
export function getKnown(facts: readonly (string | undefined)[]): string[] {
  return facts.flatMap((fact) => (fact === undefined || fact === '' ? [] : [fact]))
}

/**
 * Title, else name, else path in the workspace, else uri. The path or uri is there in any case: a title may say anything.
 */
export function showAddress(
  { uri, title, name }: { uri: string; title?: string; name?: string },
  root: string | undefined,
): { name: string; place: string | undefined } {
  const place = (root === undefined ? undefined : toWorkspacePath(uri, root)) ?? uri
  const said = [title, name].find((text) => text !== undefined && text.trim() !== '')
  return said === undefined || said === place
    ? { name: place, place: undefined }
    : { name: said, place }
}

/** A path to show: relative to the workspace where it is within. */
export function showPath(path: string, root: string | undefined): string {
  if (root === undefined) return path
  const base = root.replace(/\/+$/, '')
  if (path === base) return '.'
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path
}

// Made when it is needed: the first one takes as long as the start of a process.
let numbers: Intl.NumberFormat | undefined

/** A number of things, for example `1,234 lines`. */
export function formatCount(count: number, one: string, several = `${one}s`): string {
  numbers ??= new Intl.NumberFormat('en')
  return `${numbers.format(count)} ${count === 1 ? one : several}`
}
