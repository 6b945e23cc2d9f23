import { readProgramVersion } from '../../../process/program-version.ts'
import { findImageProtocol, supportsHyperlinks } from '@toolblocks/renderer'
import { EXIT } from '../../../process/exit-codes.ts'
import { isOlder, readOwnPackage } from '../../../process/own-package.ts'
import { pathOutside } from '../../../process/own-program.ts'
import type { CommandContext, SharedOptions } from '../../../terminal/command-context.ts'
import type { Terminal } from '../../../terminal/terminal.ts'
import { examineWorkspace } from './examine-workspace.ts'
import { type Finding, writeFindings } from './finding.ts'

/** `toolblocks doctor`: checks everything that a command may need, and names a fix for each problem. Changes nothing. */
export async function runDoctor(context: CommandContext, options: SharedOptions): Promise<number> {
  const { terminal, folder, signal } = context
  const allFindings: Finding[] = []
  // Each part is shown when it is known, because a server may take long.
  const showFindings = (findings: readonly Finding[]): void => {
    allFindings.push(...findings)
    if (options.output !== 'json' && findings.length > 0)
      terminal.print(writeFindings(findings, terminal))
  }
  showFindings(await examineNode(folder))
  showFindings(await examineWorkspace(context, options))
  showFindings(await examineEditor(folder, process.env))
  showFindings(examineTerminal(terminal, process.env))
  if (options.output === 'json') terminal.printJson(allFindings)
  if (signal.aborted) return EXIT.cancelled
  return allFindings.find((each) => each.state === 'problem')?.code ?? EXIT.ok
}

type ProcessEnvironment = Readonly<Record<string, string | undefined>>

/** Checks the Node that runs this program, and the one that tools find. */
async function examineNode(folder: string): Promise<readonly Finding[]> {
  const { version, node } = readOwnPackage()
  const onPath = await readProgramVersion('node', folder)
  const own: Finding = {
    area: 'node',
    state: 'ok',
    message: `toolblocks ${version} runs with Node ${process.versions.node}`,
  }
  if (onPath === undefined)
    return [
      own,
      { area: 'node', state: 'note', message: 'no node on the PATH: tools in TypeScript need it' },
    ]
  if (!isOlder(onPath, node)) return [own]
  const message = `node on the PATH is ${onPath}: tools in TypeScript need ${node} or newer`
  return [own, { area: 'node', state: 'note', message }]
}

/** Checks the editor for forms and arguments. */
async function examineEditor(
  folder: string,
  environment: ProcessEnvironment,
): Promise<readonly Finding[]> {
  const variable = ['VISUAL', 'EDITOR'].find((name) => environment[name])
  const named = variable === undefined ? 'vi' : (environment[variable] ?? '')
  const [program = ''] = named.trim().split(/\s+/)
  const { resolveProgram } = await import('@toolblocks/local-executor')
  const PATH = pathOutside(environment['PATH'] ?? '', folder)
  const isThere = resolveProgram([program], { root: folder, environment: { PATH } }) !== undefined
  const from = variable === undefined ? 'neither VISUAL nor EDITOR is set' : `from ${variable}`
  if (isThere) return [{ area: 'editor', state: 'ok', message: `${named} (${from})` }]
  return [
    {
      area: 'editor',
      state: 'note',
      message: `${named} (${from}): no such program; set EDITOR to answer forms in an editor`,
    },
  ]
}

/** Reports what the terminal can show. */
function examineTerminal(
  { isInteractive, colors, columns }: Terminal,
  environment: ProcessEnvironment,
): readonly Finding[] {
  if (!isInteractive)
    return [
      {
        area: 'terminal',
        state: 'note',
        message: 'standard input or output is not a terminal: no questions are asked',
      },
    ]
  const images = findImageProtocol(environment)
  const can = [
    `${columns} columns`,
    colors === 'none' ? 'no colours' : 'colours',
    supportsHyperlinks(environment) ? 'links' : 'no links',
    `pictures (${images})`,
  ]
  return [{ area: 'terminal', state: 'ok', message: can.join(', ') }]
}
