/**
 * Steps that checking a text for a format may take. The formats' own expressions run on an engine that backtracks:
 * linear for most, of which the slowest count here; `url` tries every place of every "@" and ":".
 */
export function stepsOfFormat(format: string, length: number): number {
  switch (format) {
    case 'url':
      return 10 + length + (length * length) / 8
    case 'regex':
      return 10 + 20 * length
    default:
      return 10 + 4 * length
  }
}
