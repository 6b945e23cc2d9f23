import { toWorkspacePath } from '@toolblocks/protocol'
import type { ShownPart } from './shown-part.ts'

/** Shows a name with facts. Unknown facts are omitted. */
export function showFacts(name: string, facts: readonly (string | undefined)[]): ShownPart {
  return { kind: 'facts', name, facts: getKnown(facts) }
}

/** Returns the known facts. */
export function getKnown(facts: readonly (string | undefined)[]): string[] {
  return facts.flatMap((fact) => (fact === undefined || fact === '' ? [] : [fact]))
}

/** Shows title, else name, else path in the workspace, else URI. The path or URI is always shown, because a title may be misleading. */
export function showAddress(
  { uri, title, name }: { uri: string; title?: string; name?: string },
  root: string | undefined,
): { name: string; address: string | undefined } {
  const address = (root === undefined ? undefined : toWorkspacePath(uri, root)) ?? uri
  const label = [title, name].find((text) => text !== undefined && text.trim() !== '')
  return label === undefined || label === address
    ? { name: address, address: undefined }
    : { name: label, address }
}

/** Returns a path for display: relative to the workspace if it is inside. */
export function showPath(path: string, root: string | undefined): string {
  if (root === undefined) return path
  const base = root.replace(/\/+$/, '')
  if (path === base) return '.'
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path
}

// Created on first use, because the first one takes as long as the start of a process.
let numbers: Intl.NumberFormat | undefined

/** Formats a count, for example `1,234 lines`. */
export function formatCount(count: number, one: string, several = `${one}s`): string {
  numbers ??= new Intl.NumberFormat('en')
  return `${numbers.format(count)} ${count === 1 ? one : several}`
}
