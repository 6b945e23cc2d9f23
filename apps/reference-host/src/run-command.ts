import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import type { CommandContext } from './commands/command-context.ts'
import { createProgram } from './create-program.ts'
import { EXIT } from './exit-codes.ts'

/** Runs the command that the words name, and answers with its exit code. */
export async function runProgram(
  words: readonly string[],
  context: CommandContext,
): Promise<number> {
  let code: number = EXIT.ok
  const end = (exitCode: number): void => {
    code = exitCode
  }
  try {
    await createProgram(context, { version: readVersion(), end }).parseAsync(words, {
      from: 'user',
    })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  }
}

function readVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const isManifest = typeof manifest === 'object' && manifest !== null
  return String(isManifest ? Reflect.get(manifest, 'version') : undefined)
}
