import { isOlder } from '../node-version.ts'
import { readProgramVersion } from '../program-version.ts'
import type { Language } from './languages.ts'

/** The first Node that runs TypeScript as it is. */
const NODE_FOR_TYPESCRIPT = '22.18'

/** The language of a new tool, or why it cannot be that one. */
export type ChosenLanguage = { ok: true; language: Language } | { ok: false; message: string }

/** Chooses a language that this machine can run: TypeScript where the Node on the PATH runs it, else Python, else bash. */
export async function chooseLanguage(
  wanted: Language | undefined,
  folder: string,
): Promise<ChosenLanguage> {
  if (wanted !== undefined && wanted !== 'ts') return { ok: true, language: wanted }
  const node = await readProgramVersion('node', folder)
  if (node !== undefined && !isOlder(node, NODE_FOR_TYPESCRIPT)) return { ok: true, language: 'ts' }
  if (wanted === undefined) {
    const python = await readProgramVersion('python3', folder)
    return { ok: true, language: python === undefined ? 'bash' : 'python' }
  }
  const found = node === undefined ? 'there is no node' : `node is ${node}`
  const message = `a tool in TypeScript needs Node ${NODE_FOR_TYPESCRIPT} or newer on the PATH, and ${found}; install a newer one, or write it with --language python or bash`
  return { ok: false, message: `${message}; nothing was written` }
}
