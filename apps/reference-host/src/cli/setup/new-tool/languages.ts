import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LocalCommand } from '@toolblocks/local-executor'
import { ownFile } from '../../../process/own-package.ts'
import type { NewFile } from '../../../workspace/files/write-file.ts'

/** Languages that a new tool can be written in. */
export const LANGUAGES = ['ts', 'python', 'bash'] as const

/** One of them. */
export type Language = (typeof LANGUAGES)[number]

/** A tool that is to be written. */
export interface NewTool {
  /** The program, then its test; names are relative to the workspace. */
  files: readonly [program: NewFile, test: NewFile]
  /** How the configuration starts it. */
  command: LocalCommand & readonly string[]
  /** What a person types to test it, without the name of the test. */
  tester: string
}

interface ToolLanguage {
  extension: string
  /** What starts the program, and what its command line takes from a call. */
  starts: readonly [program: string, ...arguments_: string[]]
  tester: string
}

/** `.mts`: Node takes it for a module whatever a package.json says. */
const KINDS: Readonly<Record<Language, ToolLanguage>> = {
  ts: { extension: 'mts', starts: ['node'], tester: 'node --test' },
  python: { extension: 'py', starts: ['python3'], tester: 'python3' },
  bash: { extension: 'sh', starts: ['bash', '{{tool.arguments.who}}'], tester: 'bash' },
}

/**
 * A tool of this name that works, describes itself and has a test; its texts are those of the package's `new-tool` folder. In TypeScript it is
 * written with the SDK where the workspace at `root` has that, and without any library otherwise.
 */
export function newTool(name: string, language: Language, root: string): NewTool {
  const { extension, starts, tester } = KINDS[language]
  const [program, ...arguments_] = starts
  const template = language === 'ts' && hasSdk(root) ? 'ts-sdk' : language
  const write = (kind: string): NewFile => ({
    name: `tools/${name}${kind}.${extension}`,
    text: getText(`new-tool/${template}/tool${kind}.${extension}`, name),
    mode: 0o644,
  })
  const files = [write(''), write('.test')] as const
  return { files, command: [program, files[0].name, ...arguments_], tester }
}

/** Where an import of a tool would find it: `require` also looks into NODE_PATH. */
function hasSdk(folder: string): boolean {
  if (existsSync(join(folder, 'node_modules/@toolblocks/tool-sdk/package.json'))) return true
  return dirname(folder) !== folder && hasSdk(dirname(folder))
}

function getText(file: string, name: string): string {
  return readFileSync(ownFile(file), 'utf8').replaceAll('TOOL_NAME', name)
}
