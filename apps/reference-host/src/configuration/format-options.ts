import type { FormatOptions } from '@toolblocks/formatter'
import type { Configuration } from './configuration.ts'

/** How results are written for a model, as `[format]` says. */
export function formatOptions({
  format: { structured, resource_header: resourceHeader = 'name' },
  root,
}: Pick<Configuration, 'format' | 'root'>): FormatOptions & { root: string } {
  return { root, resourceHeader, ...(structured && { structured }) }
}
