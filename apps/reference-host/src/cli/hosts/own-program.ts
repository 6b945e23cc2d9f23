import { isJsonObject } from '@toolblocks/protocol'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { findRealPath } from '../../workspace/files/real-path.ts'

/** The name of the command and of its package. */
const NAME = 'toolblocks'

/** Returns the words after the name of this command in a command line, of any installation; `undefined` if it starts another program. */
export function readOwnArgs([program = '', ...args]: readonly string[]):
  | readonly string[]
  | undefined {
  const name = getFileName(program)
  if (/^cmd(?:\.exe)?$/i.test(name) && /^\/c$/i.test(args[0] ?? ''))
    return readOwnArgs(args.slice(1))
  if (isCommand(name)) return args
  const index = args.findIndex((word) => !word.startsWith('-'))
  const started = args[index]
  if (started === undefined) return undefined
  const isOwn =
    (RUNNERS.test(name) && PACKAGE.test(started)) || (isNode(program) && isOwnScript(started))
  return isOwn ? args.slice(index + 1) : undefined
}

/** Programs that start the command of a package. */
const RUNNERS = /^(?:npx|pnpx|bunx)(?:\.\w+)?$/i

/** The package, also with a version. */
const PACKAGE = new RegExp(`^${NAME}(?:@[^/]*)?$`)

/** Programs that run JavaScript. */
const NODE = /^(?:node(?:js)?-?[\d.]*|bun)(?:\.exe)?$/i

/** How the main file of this command ends where it is developed, and where it is installed. */
const MAIN_FILE = new RegExp(
  `(?:^|/)(?:reference-host/(?:src/main\\.ts|dist/main\\.js)|node_modules/${NAME}/dist/main\\.js)$`,
)

function getFileName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? ''
}

function isCommand(name: string): boolean {
  return new RegExp(`^${NAME}(?:\\.(?:cmd|exe|ps1))?$`, 'i').test(name)
}

function isNode(program: string): boolean {
  return program === process.execPath || NODE.test(getFileName(program))
}

/** Whether a file is the main file of this command, in any installation, also in one that was removed since. */
function isOwnScript(script: string): boolean {
  const file = isAbsolute(script) ? findRealPath(script) : undefined
  if (file === undefined || !existsSync(file))
    return MAIN_FILE.test(script.replaceAll('\\', '/')) || isCommand(getFileName(script))
  return file === findRealPath(process.argv[1] ?? '') || findPackageName(file) === NAME
}

/** Returns the name of the package to which a file belongs. */
function findPackageName(file: string): unknown {
  const folder = dirname(file)
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) return folder === file ? undefined : findPackageName(folder)
  try {
    const content: unknown = JSON.parse(readFileSync(manifest, 'utf8'))
    return isJsonObject(content) ? content['name'] : undefined
  } catch {
    return undefined
  }
}
