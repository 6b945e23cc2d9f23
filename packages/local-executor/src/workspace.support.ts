import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Tool, ToolContext, ToolResult } from '@toolblocks/protocol'
import { onTestFinished } from 'vitest'
import { type LocalToolOptions, createLocalTool } from './create-local-tool.ts'
import type { LocalCommand, LocalToolDefinition } from './command/local-tool-definition.ts'

/** A temporary folder with its own executables; it is removed when the test is over. */
export interface Workspace {
  readonly root: string
  /** Writes an executable shell script and returns its command. */
  script(name: string, ...lines: readonly string[]): string
  /** Returns the text of a file, or `undefined` if there is none. */
  read(name: string): string | undefined
}

export function makeWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'local-executor-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return {
    root,
    script(name, ...lines) {
      const path = join(root, name)
      writeFileSync(path, `#!/bin/sh\n${lines.join('\n')}\n`)
      chmodSync(path, 0o755)
      return `./${name}`
    },
    read(name) {
      try {
        return readFileSync(join(root, name), 'utf8')
      } catch {
        return undefined
      }
    },
  }
}

export function makeTool(
  command: LocalCommand,
  more: Partial<LocalToolDefinition> = {},
  options: LocalToolOptions = {},
): Tool {
  return createLocalTool({ name: 'probe', inputSchema: {}, command, ...more }, options)
}

export function makeContext(root: string, more: Partial<ToolContext> = {}): ToolContext {
  return { signal: new AbortController().signal, root, answers: {}, ...more }
}

/** Starts another Node.js process as a host, with a program that has `tool(command)` and `context`. */
export function startHost(
  root: string,
  program: string,
  files: readonly ('ignore' | number)[] = [],
): ChildProcess {
  const source = pathToFileURL(join(import.meta.dirname, 'create-local-tool.ts')).href
  const file = join(root, 'host.mjs')
  writeFileSync(file, `import { createLocalTool } from '${source}'\n${HOST}\n${program}\n`)
  const host = spawn(process.execPath, [file, root], {
    stdio: ['ignore', 'pipe', 'pipe', ...files],
  })
  onTestFinished(() => void host.kill('SIGKILL'))
  return host
}

const HOST = `
const context = { signal: new AbortController().signal, root: process.argv[2], answers: {} }
const tool = (program) => createLocalTool({ name: 'probe', inputSchema: {}, command: { program, shell: true } })
const call = { id: 'call-1', name: 'probe', arguments: {} }
`

/** Calls a tool once, without arguments. */
export function execute(tool: Tool, context: ToolContext): Promise<ToolResult> {
  return tool.execute({ id: 'call-1', name: tool.name, arguments: {} }, context)
}

/** Returns the texts of a result's blocks. */
export function texts({ content }: ToolResult): readonly string[] {
  return content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
}

/** Waits up to five seconds until a condition is true. */
export async function eventually(isTrue: () => boolean): Promise<boolean> {
  for (let count = 0; count < 100 && !isTrue(); count++) await sleep(50)
  return isTrue()
}

/** Whether a process runs; a dead one that is not yet reaped does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return process.platform !== 'linux'
  }
}
