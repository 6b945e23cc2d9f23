import type { Configuration, ConfigurationProblem } from '../configuration/configuration.ts'
import { checkSource, createEntry, defineFromConfiguration } from './define-tool.ts'

/** Returns the problems of the tool tables in a configuration. No tool is started. */
export function tableProblems({ tools, locate }: Configuration): readonly ConfigurationProblem[] {
  return Object.entries(tools).flatMap(([name, tool]) => {
    const misplaced = checkSource(name, tool)
    if (misplaced) return [locate(misplaced)]
    const created = createEntry(name, tool, defineFromConfiguration(name, tool))
    return created.ok ? [] : created.problems.map(locate)
  })
}
