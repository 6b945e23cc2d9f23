import { getErrorText } from '@toolblocks/protocol/internal'
import { existsSync } from 'node:fs'
import { explainNoProgram, formatCommand } from '@toolblocks/local-executor/internal'
import { resolveProgram } from '@toolblocks/local-executor'
import {
  type Configuration,
  type Diagnostic,
  describeProblem,
} from '../../../workspace/configuration/configuration.ts'
import { openStoreAt } from '../../../workspace/store/choose-store.ts'
import { findConfiguration } from '../../../workspace/files/find-configuration.ts'
import { userSettingsFile } from '../../../workspace/configuration/user-settings.ts'
import { EXIT } from '../../../process/exit-codes.ts'
import { findLogins } from '../../../workspace/servers/find-logins.ts'
import { openLogins } from '../../../workspace/servers/logins/open-logins.ts'
import { describeLogin } from '../../../workspace/servers/describe-login.ts'
import { openServers } from '../../../workspace/servers/open-servers.ts'
import { readModelAddress } from '../../../workspace/model/providers.ts'
import { chooseModel } from '../../../workspace/choose-model.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open-workspace.ts'
import type { CommandContext, SharedOptions } from '../../../terminal/command-context.ts'
import { openTools } from '../../../workspace/open-tools.ts'
import { findDesktopProblem } from '../../../workspace/questions/desktop-notification.ts'
import type { Finding } from './finding.ts'

const AGREE = 'run "toolblocks trust" to see what this folder wants to do, and agree to it'

/** Checks the configuration of the folder and the settings of the user, and everything that they need. */
export async function examineWorkspace(
  context: CommandContext,
  options: SharedOptions,
): Promise<readonly Finding[]> {
  const heard: Finding[] = []
  const silent = listenTo(context, heard)
  const opened = await openWorkspace(silent, { ...options, unconfigured: 'empty' })
  if (!opened.ok) return heard
  const { workspace } = opened
  const findings = [
    ...examineConfiguration(context, workspace, options),
    ...heard,
    ...examineTrust(workspace),
    ...examineModel(workspace),
    ...(await examineStore(workspace)),
    ...examineQuestions(workspace),
  ]
  const hasTools = Object.keys(workspace.configuration.tools).length > 0
  const programs = [
    ...(await examineServers(context.signal, workspace)),
    ...(hasTools ? await examineTools(context, options, workspace) : []),
  ]
  return [...findings, ...(await examineLogins(workspace)), ...programs, ...showPath(programs)]
}

/** Shows the PATH if a program has a problem, which may be that it was not found there. */
function showPath(findings: readonly Finding[]): readonly Finding[] {
  if (findings.every(({ state }) => state !== 'problem')) return []
  const message = `PATH, where programs are searched by name: ${process.env['PATH'] ?? ''}`
  return [{ area: 'tools', state: 'note', message }]
}

/** Returns a context that collects errors and warnings as findings, and asks no questions. */
function listenTo(context: CommandContext, heard: Finding[]): CommandContext {
  const addFinding = (kind: 'error' | 'warning', message: string): void => {
    const area = 'configuration'
    const fix = 'change what the message names'
    if (kind === 'warning') heard.push({ area, state: 'note', message })
    else heard.push({ area, state: 'problem', message, fix, code: EXIT.usage })
  }
  const { keyboard: _keyboard, person: _person, ...rest } = context.terminal
  const terminal = { ...rest, isInteractive: false, note: () => {}, report: addFinding }
  return { ...context, terminal }
}

function examineConfiguration(
  { folder, command }: CommandContext,
  workspace: Workspace,
  { config }: SharedOptions,
): readonly Finding[] {
  const { configuration } = workspace
  const settings = userSettingsFile()
  const own: readonly Finding[] = existsSync(settings)
    ? [{ area: 'configuration', state: 'ok', message: `user settings: ${settings}` }]
    : [{ area: 'configuration', state: 'note', message: `no user settings (${settings})` }]
  if (config === undefined && findConfiguration(folder) === undefined)
    return [
      {
        area: 'configuration',
        state: 'note',
        message: `no toolblocks.toml in this folder or above, so there are no local tools; "${command} init" writes one`,
      },
      ...own,
    ]
  const { file, tools, mcp, agents } = configuration
  const isWaiting = examineTrust(workspace).some(({ state }) => state === 'problem')
  const isEmpty = [tools, mcp.tools, mcp.servers, agents].every(
    (tables) => Object.keys(tables).length === 0,
  )
  if (isWaiting && isEmpty) {
    const message = `${file}: nothing of it is counted or used until you agree to it`
    return [{ area: 'configuration', state: 'ok', message }, ...own]
  }
  const counts = [
    formatCount(Object.keys({ ...tools, ...mcp.tools }).length, 'tool'),
    formatCount(Object.keys(mcp.servers).length, 'server'),
    formatCount(Object.keys(agents).length, 'agent'),
  ]
  const more = isWaiting ? '; more when you agree to it' : ''
  const message = `${file}: ${counts.join(', ')}${more}`
  return [{ area: 'configuration', state: 'ok', message }, ...own]
}

function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function examineTrust({ written, isAgreed }: Workspace): readonly Finding[] {
  const { configuration, servers } = written
  const { tools, mcp, model, questions, store, agents } = configuration
  const waiting = [
    ...[...Object.keys(tools), ...Object.keys(mcp.tools)]
      .filter((name) => !isAgreed(`tool ${name}`))
      .map((name) => `the tool ${name}`),
    ...servers
      .filter(({ name }) => !isAgreed(`server ${name}`))
      .map(({ name }) => `the server ${name}`),
    ...Object.keys(agents)
      .filter((name) => !isAgreed(`agent ${name}`))
      .map((name) => `the agent ${name}`),
    ...(model && !isAgreed('model') ? ['the model'] : []),
    ...(questions?.notify && !isAgreed('questions') ? ['the program for questions'] : []),
    ...(store && !isAgreed('store') ? ['the store'] : []),
  ]
  const isEmpty = [tools, mcp.tools, agents].every((tables) => Object.keys(tables).length === 0)
  if (isEmpty && servers.length === 0 && !model && !store && !questions?.notify) return []
  if (waiting.length === 0)
    return [
      {
        area: 'trust',
        state: 'ok',
        message: 'you have agreed to everything that this folder wants to do',
      },
    ]
  const message = `you have not agreed to ${waiting.join(', ')}`
  return [{ area: 'trust', state: 'problem', message, fix: AGREE, code: EXIT.denied }]
}

function examineQuestions({ configuration }: Workspace): readonly Finding[] {
  const { root, questions: { notify } = {} } = configuration
  if (notify === undefined) return []
  const area = 'questions'
  if (notify === 'desktop') {
    const problem = findDesktopProblem(root)
    return problem
      ? [{ area, state: 'problem', ...problem, code: EXIT.failed }]
      : [{ area, state: 'ok', message: 'questions that wait are shown on the desktop' }]
  }
  const program = resolveProgram(notify, { root })
  if (program !== undefined)
    return [{ area, state: 'ok', message: `questions that wait are told to ${program}` }]
  const message = `[questions] notify: the program ${JSON.stringify(notify[0])} does not exist`
  return [{ area, state: 'problem', message, fix: 'correct its name', code: EXIT.failed }]
}

function examineModel(workspace: Workspace): readonly Finding[] {
  const area = 'model'
  const chosen = chooseModel(workspace)
  // A workspace that waits for a decision is reported as a finding about trust.
  if (!chosen.ok) return []
  const { model } = chosen
  if (!model?.provider)
    return [
      { area, state: 'note', message: 'no [model] is configured: chat and run cannot be used' },
    ]
  const from = workspace.configuration.model ? workspace.configuration.file : userSettingsFile()
  const name = [model.provider, model.name].filter((part) => part !== undefined).join(' ')
  const address = readModelAddress(model, process.env)
  if (!address) {
    if (model.provider === 'scripted')
      return [{ area, state: 'ok', message: `${name}, from ${from}` }]
    const fix = `write base_url = "https://…" under [model] in ${from}`
    return [{ area, state: 'problem', message: `${name} has no address`, fix, code: EXIT.usage }]
  }
  const { url, keyName } = address
  if (keyName === undefined)
    return [{ area, state: 'ok', message: `${name} at ${url}, without a key, from ${from}` }]
  if (process.env[keyName])
    return [
      { area, state: 'ok', message: `${name} at ${url}, with the key in ${keyName}, from ${from}` },
    ]
  const message = `${name} needs a key, and the variable ${keyName} is not set`
  const fix = `export ${keyName}=… in your shell, or name another variable with api_key_env under [model] in ${from}`
  return [{ area, state: 'problem', message, fix, code: EXIT.usage }]
}

async function examineStore({ store: chosen }: Workspace): Promise<readonly Finding[]> {
  const area = 'store'
  if (chosen.kind === 'waiting') return []
  const { name, file } = chosen.address
  const use = chosen.kind === 'default' ? 'chats and imports; calls are not recorded' : 'everything'
  if (file !== undefined && !existsSync(file))
    return [{ area, state: 'ok', message: `${name} (${use}), created when something is stored` }]
  try {
    const store = await openStoreAt(chosen.address)
    try {
      const { conversations } = await store.list({ limit: Infinity })
      const count = formatCount(conversations.length, 'conversation')
      return [{ area, state: 'ok', message: `${name} (${use}): ${count}` }]
    } finally {
      await store.close()
    }
  } catch (error) {
    const reason = getErrorText(error)
    const fix = 'configure another store under [store], or fix the problem in the message'
    return [{ area, state: 'problem', message: `${name}: ${reason}`, fix, code: EXIT.usage }]
  }
}

/** Reports where logins are kept, and at which servers the user is logged in. */
async function examineLogins({ servers }: Workspace): Promise<readonly Finding[]> {
  const area = 'logins'
  const logins = await findLogins(servers, process.env)
  if (logins.length === 0) return []
  const { placeName } = await openLogins()
  return [
    { area, state: 'ok', message: `new logins are kept in ${placeName}` },
    ...logins.map(({ name, login, unread }): Finding => {
      if (unread) {
        const message = `${name}: ${unread.reason}`
        return { area, state: 'problem', message, fix: unread.fix, code: EXIT.failed }
      }
      if (!login) return { area, state: 'ok', message: `${name}: not logged in` }
      const message = `${name}: logged in ${describeLogin(login.status, login.placeName)}`
      return login.status.unusable === undefined
        ? { area, state: 'ok', message }
        : {
            area,
            state: 'problem',
            message,
            fix: `run ${formatCommand(['toolblocks', 'mcp', 'login', name])}`,
            code: EXIT.failed,
          }
    }),
  ]
}

async function examineServers(
  signal: AbortSignal,
  { servers, configuration: { root } }: Workspace,
): Promise<readonly Finding[]> {
  const area = 'servers'
  const opened = await openServers(servers, {
    root,
    environment: { ...process.env },
    hooks: () => ({}),
    signal,
  })
  await Promise.all(opened.map(async (one) => (one.ok ? await one.server.close() : undefined)))
  return opened.flatMap((one): readonly Finding[] => {
    const { name } = one.written
    if (one.ok) {
      const count = formatCount(one.server.tools().length, 'tool')
      const message = `${name}: ${count}, MCP ${one.server.protocolVersion}`
      return [
        { area, state: 'ok', message },
        ...one.server.problems.map((problem): Finding => ({
          area,
          state: 'note',
          message: `${name}: in its list of tools, ${problem.path || 'at the top'}: ${problem.message}`,
        })),
      ]
    }
    if (one.reason !== 'failed') return []
    const { message, fix = 'run its command by hand and read its output' } = one
    return [{ area, state: 'problem', message, fix, code: EXIT.failed }]
  })
}

/** Checks the tools of the folder's own programs, and asks a program for its description if needed. */
async function examineTools(
  context: CommandContext,
  options: SharedOptions,
  { configuration }: Workspace,
): Promise<readonly Finding[]> {
  const area = 'tools'
  const opened = await openTools(listenTo(context, []), {
    ...options,
    only: Object.keys(configuration.tools),
  })
  if (!opened.ok) return []
  try {
    const lost = findLostPrograms(configuration)
    const names = opened.entries
      .map(({ tool }) => tool.name)
      .filter((name) => !lost.some((each) => each.path[1] === name))
    const left = opened.left.filter(({ reason }) => reason !== 'waiting')
    const fine: readonly Finding[] =
      names.length > 0 ? [{ area, state: 'ok', message: names.join(', ') }] : []
    return [
      ...fine,
      ...left.map((each): Finding => {
        const message = describeProblem(configuration.locate(each))
        if (each.reason === 'changed')
          return {
            area,
            state: 'problem',
            message,
            fix: '"toolblocks tools accept NAME" accepts the change',
            code: EXIT.denied,
          }
        return {
          area,
          state: 'problem',
          message,
          fix: 'fix the program, or its table',
          code: EXIT.failed,
        }
      }),
      ...lost
        .filter(({ path: [, name] }) => left.every(({ tool }) => tool !== name))
        .map((each): Finding => ({
          area,
          state: 'problem',
          message: describeProblem(configuration.locate(each)),
          fix: 'install the program, or correct the command',
          code: EXIT.failed,
        })),
    ]
  } finally {
    await Promise.all([opened.settled(), opened.close()])
  }
}

/** Returns the tools whose programs a call could not start. */
function findLostPrograms({ tools, root }: Configuration): readonly Diagnostic[] {
  const environment = { ...process.env }
  return Object.entries(tools).flatMap(([name, { command }]): readonly Diagnostic[] => {
    const message = explainNoProgram(command, { root, environment })
    return message === undefined ? [] : [{ path: ['tools', name], message }]
  })
}
