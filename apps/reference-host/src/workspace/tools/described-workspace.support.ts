import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ToolDescription } from '@toolblocks/protocol'
import { toolblocks, type Ran } from '../../cli/toolblocks.support.ts'

/** A folder with a configuration and tools that describe themselves. */
export interface DescribedWorkspace {
  folder: string
  run(...args: readonly string[]): Promise<Ran>
  /** Writes a file. */
  write(name: string, text: string): void
  read(name: string): string
  /** Writes a shell script that describes these tools, and prints `ran` for a call. */
  tool(name: string, tools: readonly ToolDescription[]): void
  /** Returns how often a script was asked for its description. */
  asks(name: string): number
}

/** Creates the folder with this configuration. */
export function makeDescribedWorkspace(configuration: string): DescribedWorkspace {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-described-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  write('toolblocks.toml', configuration)
  return {
    folder,
    run: (...args) => toolblocks(folder, ...args),
    write,
    read,
    tool: (name, tools) => write(name, script(name, JSON.stringify({ tools }))),
    asks: (name) => {
      const file = `${name}.asked`
      return existsSync(join(folder, file)) ? read(file).trim().split('\n').length : 0
    },
  }
}

function script(name: string, answer: string): string {
  return `case "$(cat)" in
  *'"action":"schema"'*) echo asked >> ${name}.asked; printf '%s' '${answer}' ;;
  *) echo ran ;;
esac
`
}

/** Returns a table with source and command only. */
export function makeTable(name: string, more = ''): string {
  return `[tools.${name}]\nsource = "local"\ncommand = "sh ${name}.sh"\n${more}\n`
}
