import { LIVE_ACTIONS, printableJson } from '@toolblocks/protocol'
import { checkPlaceholders } from './command/check-placeholders.ts'
import { type Command, readCommand } from './command/command.ts'
import { LocalToolError } from './local-tool-error.ts'
import { type LocalToolDefinition, MAX_TIMEOUT_MS } from './local-tool-definition.ts'
import type { LocalProblem } from './local-problem.ts'

/** The command of a definition, read. Throws a `LocalToolError` that names everything that is wrong. */
export function readDefinition(definition: LocalToolDefinition): Command {
  const command = readCommand(definition.command, definition)
  const problems = [
    ...(command.ok ? checkPlaceholders(command.command, definition.inputSchema) : command.problems),
    ...checkTimeout(definition.timeoutMs),
    ...checkActions(definition.actions),
    ...checkNames('/env', definition.env ?? []),
    ...checkNames('/setEnv', Object.keys(definition.setEnv ?? {})),
  ]
  if (!command.ok || problems.length > 0) throw new LocalToolError(definition.name, problems)
  return command.command
}

function checkTimeout(timeoutMs: number | undefined): LocalProblem[] {
  if (timeoutMs === undefined) return []
  if (Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS) return []
  const expected = `a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`
  const got = String(timeoutMs)
  const message = `expected ${expected}, got ${got}`
  return [{ path: '/timeoutMs', code: 'invalid-timeout', message, expected, got }]
}

const ACTIONS: readonly string[] = LIVE_ACTIONS

/** A tool that cannot be spawned has no other action either. */
function checkActions(actions: LocalToolDefinition['actions']): LocalProblem[] {
  if (actions === undefined) return []
  const isList = Array.isArray(actions) && actions.every((action) => ACTIONS.includes(action))
  if (isList && actions.includes('spawn')) return []
  const expected = `a list with "spawn" and as many of ${ACTIONS.slice(1).join(', ')} as are wanted`
  const got = printableJson(JSON.stringify(actions))
  const message = `expected ${expected}, got ${got}`
  return [{ path: '/actions', code: 'invalid-actions', message, expected, got }]
}

function checkNames(path: string, names: readonly string[]): LocalProblem[] {
  return names
    .filter((name) => !/^[^=\0]+$/.test(name))
    .map((name) => {
      const message = `${JSON.stringify(name)} is not the name of a variable: write the name alone, without = and value`
      return { path, code: 'invalid-variable', message }
    })
}
