import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { createLocalTool } from '@toolblocks/local-executor'
import type { Answers, Tool, ToolContext, ToolResult } from '@toolblocks/protocol'
import { onTestFinished } from 'vitest'

/** A program of the SDK in a folder of its own. */
export interface Program {
  readonly root: string
  /** What starts it. */
  readonly command: readonly string[]
  /** The tool of that name, as a host would make it. */
  tool(name?: string, more?: { stateful?: boolean; timeoutMs?: number }): Tool
  call(values?: Record<string, unknown>, answers?: Answers, name?: string): Promise<ToolResult>
  context(more?: Partial<ToolContext>): ToolContext
  /** Starts it by hand. */
  start(
    input: string,
    args?: readonly string[],
  ): Promise<{ stdout: string; stderr: string; code: number | null }>
}

const IMPORTS = `import { booleanQuestion, defineTool, failure, image, resource, runTools, structured, table, text, waiting } from '@toolblocks/tool-sdk'\n`
/** Only where it is used: as files of its own it is slow to load. */
const TYPEBOX = `import { Type } from '@toolblocks/tool-sdk/typebox'\n`

/** Writes a program with this source, behind the imports it needs. */
export function writeProgram(source: string): Program {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tool-sdk-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const packages = join(root, 'node_modules/@toolblocks')
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  // A program finds the SDK as one that has installed it.
  linkPackage(packages)
  writeFileSync(join(root, 'tool.ts'), IMPORTS + (source.includes('Type.') ? TYPEBOX : '') + source)
  const command = [process.execPath, 'tool.ts']
  const context = (more: Partial<ToolContext> = {}): ToolContext => ({
    root,
    signal: new AbortController().signal,
    answers: {},
    ...more,
  })
  const tool: Program['tool'] = (name = 'probe', more = {}) =>
    createLocalTool(
      {
        name,
        inputSchema: true,
        command,
        formatsArguments: true,
        env: ['NODE_COMPILE_CACHE'],
        ...more,
      },
      { graceMs: 1000 },
    )
  return {
    root,
    command,
    tool,
    context,
    call: (values = {}, answers = {}, name = 'probe') =>
      tool(name).execute({ id: 'c', name, arguments: values }, context({ answers })),
    start: async (input, args = []) => {
      const child = spawn(process.execPath, ['tool.ts', ...args], { cwd: root })
      onTestFinished(() => void child.kill('SIGKILL'))
      child.stdin.end(input)
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
      const [stdout, stderr, code] = await Promise.all([
        readAll(child.stdout),
        readAll(child.stderr),
        ended,
      ])
      return { stdout, stderr, code }
    },
  }
}

/** The words of a result; of other blocks what they are. */
export function getWords({ content }: ToolResult): readonly string[] {
  return content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
}

function linkPackage(folder: string): void {
  mkdirSync(folder, { recursive: true })
  symlinkSync(join(import.meta.dirname, '..'), join(folder, 'tool-sdk'))
}
