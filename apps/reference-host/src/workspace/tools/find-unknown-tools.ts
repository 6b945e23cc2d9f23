import { type Configuration, describeProblem } from '../configuration/configuration.ts'
import { didYouMean } from '../../terminal/did-you-mean.ts'

/** Returns a warning for each tool that an agent names and that does not exist. */
export function findUnknownTools(
  { agents, locate }: Pick<Configuration, 'agents' | 'locate'>,
  names: readonly string[],
): readonly string[] {
  return Object.entries(agents).flatMap(([agent, { tools = [] }]) =>
    tools
      .filter((tool) => !names.includes(tool))
      .map((tool) => {
        const message = `there is no tool ${JSON.stringify(tool)}${didYouMean(tool, names)}; the agent runs without it`
        return describeProblem(locate({ path: ['agents', agent, 'tools'], message }))
      }),
  )
}
