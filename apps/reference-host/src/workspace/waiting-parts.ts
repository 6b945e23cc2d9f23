import { basename } from 'node:path'
import type { OtherProgram } from './consent/decisions.ts'
import type { WantedPart } from './consent/want-sources.ts'
import { getServerPlace } from './servers/make-entries.ts'
import { selectServers } from './servers/written-servers.ts'
import type { UnavailableTool } from './tools/unavailable-tool.ts'
import type { Workspace } from './open-workspace.ts'

/** How a person agrees: the end of a message about parts that wait for a decision. */
export const HOW_TO_AGREE =
  '"toolblocks trust" shows what this folder wants to do and asks you; --trust or TOOLBLOCKS_TRUST=1 agrees for one run'

/** Finds tools and servers that the user has not agreed to, of all or of some tools. */
export function findWaiting(
  { configuration, servers, written, findOtherProgram }: Workspace,
  only: readonly string[] | undefined,
): readonly UnavailableTool[] {
  const { file, tools, mcp } = written.configuration
  const isThere = (name: string): boolean =>
    Object.hasOwn(configuration.tools, name) || Object.hasOwn(configuration.mcp.tools, name)
  const describe = (part: WantedPart): string => {
    const other = findOtherProgram(part)
    return other
      ? `not available, because ${describeOtherProgram(other)}`
      : `not available, because you have not agreed to it: ${HOW_TO_AGREE}`
  }
  const names = [...Object.keys(tools), ...Object.keys(mcp.tools)]
  return [
    ...names
      .filter((name) => (only?.includes(name) ?? true) && !isThere(name))
      .map((tool): UnavailableTool => ({
        tool,
        reason: 'waiting',
        path: ['tools', tool],
        message: describe(`tool ${tool}`),
      })),
    ...selectServers(written.servers, written.configuration, only)
      .filter(({ name }) => !servers.some((server) => server.name === name))
      .map((server): UnavailableTool => ({
        tool: `the server ${server.name}`,
        reason: 'waiting',
        ...getServerPlace(server, file),
        message: describe(`server ${server.name}`),
      })),
  ]
}

/** Says which program the user agreed to, which one would start here, and what to do. */
function describeOtherProgram({ agreed, here }: OtherProgram): string {
  const name = basename(agreed)
  const started =
    here === undefined ? `there is no ${name} in PATH here` : `here ${name} is ${here}`
  return (
    `you agreed to ${name} at ${agreed}, and ${started}: start this with the PATH of the terminal where you agreed, ` +
    `or write "${agreed}" in the command in place of "${name}", and agree to it with "toolblocks trust"`
  )
}

/** Prints that calls are not recorded although the configuration has a store. */
export function reportWaitingStore(
  { store }: Pick<Workspace, 'store'>,
  tell: (message: string) => void,
): void {
  if (store.kind === 'waiting')
    tell(`nothing is recorded, because you have not agreed to the [store]: ${HOW_TO_AGREE}`)
}

/** Prints that a typed tool's questions are not answered as the files say. */
export function reportWaitingAnswers(
  { written, isAgreed }: Pick<Workspace, 'written' | 'isAgreed'>,
  tool: string,
  tell: (message: string) => void,
): void {
  const { tools, mcp } = written.configuration
  const table = Object.hasOwn(tools, tool) ? tools[tool] : mcp.tools[tool]
  if (Object.keys(table?.questions ?? {}).length > 0 && !isAgreed(`tool ${tool}`))
    tell(
      `the folder's answers to questions of ${tool} do not count, because you have not agreed to them: ${HOW_TO_AGREE}`,
    )
}

/** Prints which rules of the configuration have no effect. */
export function reportWaitingRules(
  { configuration, written }: Pick<Workspace, 'configuration' | 'written'>,
  tell: (message: string) => void,
): void {
  const { rules: agreed = [] } = configuration.approvals ?? {}
  const { rules = [] } = written.configuration.approvals ?? {}
  for (const rule of rules.filter((each) => !agreed.includes(each)))
    tell(`the rule ${rule} has no effect, because you have not agreed to it: ${HOW_TO_AGREE}`)
}

/** Prints which prompts and resources are not offered. */
export function reportWaitingFeatures(
  { configuration, written }: Pick<Workspace, 'configuration' | 'written'>,
  tell: (message: string) => void,
): void {
  const prompts = Object.keys(written.configuration.prompts).filter(
    (name) => !Object.hasOwn(configuration.prompts, name),
  )
  const waiting = [
    ...prompts.map((name) => `the prompt ${name}`),
    ...(written.configuration.resources && !configuration.resources ? ['[resources]'] : []),
  ]
  for (const part of waiting)
    tell(`${part}: not available, because you have not agreed to it: ${HOW_TO_AGREE}`)
}
