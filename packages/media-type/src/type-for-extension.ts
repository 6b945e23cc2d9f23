import { REGISTERED_TYPES } from './registered-types.ts'

let typeByExtension: ReadonlyMap<string, string> | undefined

/** Gives the registered mime type of a file extension in lower case. The table is read on first use. */
export function mimeTypeForExtension(extension: string): string | undefined {
  typeByExtension ??= readTypes()
  return typeByExtension.get(extension)
}

function readTypes(): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  for (const line of REGISTERED_TYPES.trim().split('\n')) {
    const [top = '', entries = ''] = line.split(': ')
    for (const entry of entries.split(', ')) {
      const [name = '', ...extensions] = entry.split(' ')
      for (const extension of extensions) types.set(extension, `${top}/${name}`)
    }
  }
  return types
}
