import { randomUUID } from 'node:crypto'
import type { AnswerQuestion, CallContext, ToolCall } from '@toolblocks/protocol'
import { type ApplyRules, type ToolEntry, createToolExecutor } from '@toolblocks/tool-executor'
import { prepareTypedCall, type TypedCall } from './prepare-typed-call.ts'
import { holdSession } from './session/hold-session.ts'
import {
  type LiveOptions,
  type SessionStep,
  answerBySteps,
  openLiveCall,
} from './session/open-live-call.ts'
import { runScript } from './session/run-script.ts'
import { type CallRecord, openRecord } from '../../workspace/conversations/record-call.ts'
import { openView, type OpenView, type OpenViewOptions } from './open-view.ts'
import { type Configuration, describeProblem } from '../../workspace/configuration/configuration.ts'
import { placeSettingsRule, readUserSettings } from '../../workspace/configuration/user-settings.ts'
import { unconfigured } from '../../workspace/configuration/load-configuration.ts'
import { beginConversation } from '../../workspace/conversations/conversation-origin.ts'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import { findConfiguration } from '../../workspace/files/find-configuration.ts'
import { describeDenials } from '../../workspace/consent/describe-denials.ts'
import { EXIT, getExitCode } from '../../process/exit-codes.ts'
import { NO_PROGRESS, describeProgress, showProgress } from '../../terminal/show-progress.ts'
import { refuse } from '../../terminal/refuse.ts'
import {
  type CallRules,
  decideByCallRules,
  hashDefinition,
  openCallRules,
  recordVerdicts,
} from '../../workspace/consent/create-approver.ts'
import {
  type PlacedRule,
  placeRules,
  readTypedRules,
} from '../../workspace/consent/rule-sources.ts'
import { createDescribe } from '../../workspace/tools/describe-tools.ts'
import { placePolicy } from '../../workspace/tools/place-policy.ts'
import { getUnavailableExitCode } from '../../workspace/tools/unavailable-tool.ts'
import { chooseStore, type ChosenStore } from '../../workspace/store/choose-store.ts'
import { describeUnfitRules, findTypedMistake } from '../../workspace/consent/unfit-rules.ts'
import { describeNarrowRules, noteNearRules } from '../../workspace/consent/near-rules.ts'
import { reportWaitingAnswers, reportWaitingStore } from '../../workspace/waiting-parts.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { openTools } from '../../workspace/open-tools.ts'
import { getServerToolNames } from './server-tool-names.ts'

/** The options of `toolblocks call NAME`. */
export interface CallOptions extends SharedOptions, TypedCall, OpenViewOptions {
  /** `false` with `--no-input`. */
  input: boolean
  /** Rules for this call, each with its effect, in the order in which they were typed. */
  rules?: readonly string[]
}

/**
 * `toolblocks call NAME`: runs one call of a tool of the workspace and shows its result. The person who types the name agrees to the call. `call
 * ./FILE` does the same for a program and reads no configuration.
 */
export async function callTool(
  context: CommandContext,
  [name, ...args]: readonly [string, ...string[]],
  options: CallOptions,
): Promise<number> {
  const typed = readTypedRules(options.rules)
  if (!typed.ok) return refuse(context.terminal, [typed.message])
  const isLine = name.includes(' ')
  if (isFileName(name) || (isLine && !(options.config ?? findConfiguration(context.folder))))
    return await callFile(context, [name, ...args], options, typed.rules)
  const opened = await openTools(context, {
    ...options,
    named: [name],
    canAsk:
      (options.input && context.terminal.person !== undefined) || options.answer !== undefined,
  })
  if (!opened.ok) return opened.code
  try {
    const { configuration, entries, left, names, workspace } = opened
    if (left.length > 0) return getUnavailableExitCode(left)
    const entry = entries.find(({ tool }) => tool.name === name)
    if (!entry) {
      const all = [...names, ...(await getServerToolNames(workspace, context.signal))]
      return refuse(context.terminal, [
        `no tool "${name}" in ${configuration.file}${formatSuggestions(name, all, 'there is')}${isLine ? '. A command line needs a path, such as "python3 ./tool.py"' : ''}`,
      ])
    }
    const mistake = findTypedMistake(typed.rules, [entry])
    if (mistake !== undefined) return refuse(context.terminal, [mistake])
    const warn = (message: string): void => context.terminal.report('warning', message)
    reportWaitingStore(workspace, warn)
    reportWaitingAnswers(workspace, name, warn)
    const servers = workspace.written.servers.map((server) => server.name)
    for (const text of [
      ...describeUnfitRules(typed.rules, { entries, names, servers }),
      ...describeNarrowRules(typed.rules, entries),
    ])
      warn(text)
    /** The model is chosen and loaded when the first question arrives. */
    const assistant: AnswerQuestion = async (...asked) => {
      const { answerOutsideChat } = await import('../../workspace/answer-outside-chat.ts')
      return await answerOutsideChat(workspace, context.terminal)(...asked)
    }
    return await callEntry(context, entry, {
      configuration,
      store: workspace.store,
      args,
      options,
      assistant,
      rules: openCallRules({
        root: configuration.root,
        rules: [...typed.rules, ...workspace.rules],
        describeTool: (called) => hashDefinition(called, workspace),
      }),
    })
  } finally {
    await Promise.all([opened.settled(), opened.close()])
  }
}

/** Whether the name is a file path: it contains a folder separator. Names in `toolblocks.toml` contain none. */
function isFileName(name: string): boolean {
  return name.includes('/') || (process.platform === 'win32' && name.includes('\\'))
}

/** Calls a program that is not configured. A program that does not describe itself receives the words unchanged. */
async function callFile(
  context: CommandContext,
  [file, ...args]: readonly [string, ...string[]],
  options: CallOptions,
  typedRules: readonly PlacedRule[],
): Promise<number> {
  const { folder, signal, terminal } = context
  const { openProgram } = await import('../serve/open-programs.ts')
  const opened = await openProgram(file, {
    folder,
    describe: createDescribe({ root: folder, signal }),
    tell: (message) => terminal.report('warning', message),
  })
  if (signal.aborted) return EXIT.cancelled
  if (!opened.ok) return refuse(terminal, opened.messages)
  const mistake = findTypedMistake(typedRules, opened.entries)
  if (mistake !== undefined) return refuse(terminal, [mistake])
  for (const text of describeUnfitRules(typedRules, { entries: opened.entries }))
    terminal.report('warning', text)
  const user = await readUserSettings()
  if (!user.ok) return refuse(terminal, user.problems.map(describeProblem))
  const configuration = unconfigured(folder)
  const store = chooseStore({ written: configuration, isAgreed: false, settings: user.settings })
  const rules = openCallRules({
    root: folder,
    rules: [
      ...typedRules,
      ...placeRules(user.settings.approvals?.rules, 'settings', placeSettingsRule),
    ],
    describeTool: () => '',
  })
  const from = { configuration, store, rules }
  const [entry, ...others] = opened.entries
  if (!entry) return refuse(terminal, [`${file} describes no tool that can be called`])
  if (!opened.isDescribed) {
    const typed = args.length > 0 ? { ...options, arguments: JSON.stringify({ args }) } : options
    return await callEntry(context, entry, { ...from, args: [], options: typed })
  }
  if (others.length === 0) return await callEntry(context, entry, { ...from, args, options })
  const names = opened.entries.map(({ tool }) => tool.name)
  const [name = '', ...rest] = args
  const named = opened.entries.find(({ tool }) => tool.name === name)
  if (named) return await callEntry(context, named, { ...from, args: rest, options })
  return refuse(terminal, [
    `${file} has several tools; write the name of one after it${formatSuggestions(name, names, 'it has')}`,
  ])
}

/** The parts from which a call is made. */
interface Typed {
  configuration: Configuration
  store: ChosenStore
  /** The words after the name. */
  args: readonly string[]
  options: CallOptions
  rules: CallRules
  /** The model of the workspace, for questions with the route `assistant`. */
  assistant?: AnswerQuestion
}

async function callEntry(
  context: CommandContext,
  entry: ToolEntry,
  { configuration, store, args, options, assistant, rules }: Typed,
): Promise<number> {
  const { terminal, signal, readText, interrupt, telemetry } = context
  const { root, tools } = configuration
  const { tool } = entry
  // Prompts are loaded only if a person can see them.
  const person =
    options.input && terminal.person
      ? (await import('../../terminal/ask/create-person.ts')).createPerson(terminal, {
          root,
          interrupt,
        })
      : undefined
  const prepared = await prepareTypedCall(options, entry, {
    args,
    readText,
    ...(person && { missing: { ask: person, signal } }),
  })
  if (!prepared.ok)
    return prepared.messages.length > 0 ? refuse(terminal, prepared.messages) : EXIT.cancelled
  const { call, answers, steps } = prepared
  const output = options.output ?? 'text'
  const warn = (message: string): void => terminal.report('warning', message)
  const { prepare, show } = await openView(terminal, { configuration, entry, view: options })
  const conversationId = randomUUID()
  const denials = describeDenials(context)
  const nearRules = noteNearRules(context)
  const { record, keepBytes, close } = await openRecord(store, conversationId, warn)
  try {
    await record(beginConversation({ command: 'call', folder: root }), {
      type: 'turn_start',
      turn: 1,
    })
    const code = await makeCall(call, answers.reading(entry), {
      context: {
        signal,
        root,
        conversationId,
        answers: answers.answers,
        unanswered: output === 'json' ? 'return' : 'fail',
        ask: { ...(person && { user: person }), ...(assistant && { assistant }) },
        ...(keepBytes && { keepBytes }),
      },
      steps,
      record,
      decide: nearRules.watch(decideByCallRules(rules, denials.onDenied), rules),
      ...(telemetry && { telemetry }),
      terminal,
      shows: tools[tool.name]?.pty ? 'screen' : 'messages',
      output,
      prepare,
      show: (result) => {
        // An answer that does not match its schema is reported once, as wrong usage.
        if (answers.validationErrors.length === 0) show(result)
        denials.showAll()
        nearRules.showDenied()
      },
    })
    denials.showAll()
    nearRules.showDenied()
    const policyPlace = entry.policy === 'deny' && placePolicy(configuration, tool.name)
    if (policyPlace) terminal.note(terminal.sanitize(`Its "run" is in ${policyPlace}.`))
    for (const message of answers.unused()) warn(message)
    return answers.validationErrors.length > 0 ? refuse(terminal, answers.validationErrors) : code
  } finally {
    await close()
  }
}

/** The settings of a call, without its tool. */
export interface CallSettings extends OpenView {
  /** `ask.user` answers questions. Absent: no person is available. */
  context: CallContext
  /** The steps of a stateful call. Absent: a person types them, or the call runs once. */
  steps: readonly SessionStep[] | undefined
  record: CallRecord['record']
  /** Decides by rules. Only a denial has an effect: the person who typed the call agrees to it. Default: there are no rules. */
  decide?: ApplyRules
  telemetry?: CommandContext['telemetry']
  terminal: CommandContext['terminal']
  /** What a stateful call shows: messages, or the screen of a program at a terminal. */
  shows: 'messages' | 'screen'
  output: 'text' | 'json'
}

/** Makes a call, shows and records its result, and returns the exit code. */
export async function makeCall(
  call: ToolCall,
  entry: ToolEntry,
  {
    context,
    steps: typedSteps,
    record,
    decide,
    telemetry,
    terminal,
    shows,
    output,
    prepare,
    show,
  }: CallSettings,
): Promise<number> {
  const { tool } = entry
  const { signal, ask: { user: person } = {} } = context
  const steps = typedSteps && [...typedSteps]
  const keyboard =
    tool.spawn && !steps && output === 'text' && person ? terminal.keyboard : undefined
  // The reader of the keyboard is loaded only if a person types.
  const lines = keyboard && (await import('./session/read-lines.ts')).readLines(keyboard)
  const progress = lines
    ? NO_PROGRESS
    : showProgress(terminal, terminal.style.plain(tool.name), { signal })
  // A prompt has the keyboard to itself, and the progress line is hidden meanwhile.
  const alone = lines ? lines.lend : progress.pausedFor
  const user: AnswerQuestion | undefined = person
    ? async (...question) => await alone(async () => await person(...question))
    : steps && answerBySteps(steps)
  const { execute, answer, close } = openExecution(call, entry, {
    user,
    record,
    ...(decide && { decide }),
    ...(telemetry && { telemetry }),
    context: {
      ...context,
      onProgress: (event) => {
        const line = describeProgress(event)
        if (line !== undefined) progress.say(line)
      },
    },
  })
  const values = call.arguments
  try {
    if (lines || steps) {
      const lineEnd = shows === 'screen' ? '\n' : ''
      const live = openLiveCall({ tool, values, execute, answer, lineEnd })
      if (steps) return await runScript(live, steps, { show, terminal, output, shows })
      if (lines) {
        const note = (text: string): void => terminal.note(terminal.style.dim(text))
        const { last, cancelled } = await holdSession(live, { lines, shows, show, note, signal })
        return cancelled ? EXIT.cancelled : getExitCode(last)
      }
    }
    const result = await execute(values)
    if (output === 'text') await prepare(result)
    progress.end()
    if (output === 'json') terminal.printJson(result)
    else show(result)
    return signal.aborted ? EXIT.cancelled : getExitCode(result)
  } finally {
    progress.end()
    await close()
  }
}

/** Opens a stateful call. Each action and each answer is a call of its own, recorded with its result. `user` answers the questions. */
function openExecution(
  call: ToolCall,
  entry: ToolEntry,
  {
    context,
    user,
    record,
    decide,
    telemetry,
  }: Pick<CallSettings, 'context' | 'record' | 'decide' | 'telemetry'> & {
    user: AnswerQuestion | undefined
  },
): Pick<LiveOptions, 'execute' | 'answer'> & { close(): Promise<void> } {
  let isClosed = false
  const executor = createToolExecutor({
    tools: [entry],
    ...(decide && { decide: recordVerdicts(decide, { record, approval: 'user' }) }),
    approve: async () => ({ decision: 'allowed' }),
    // The question of a server ends after its call was stopped, and then nobody has answered it.
    recordInquiry: async (event) => (isClosed ? undefined : await record(event)),
    ...(telemetry && { telemetry }),
    // A session with a person has its own ending.
    limits: { interactions: Infinity },
  })
  let count = 0
  let asked = 0
  const asking = user && {
    user: async (...question: Parameters<AnswerQuestion>) => {
      // In a script, no person has seen the result.
      if (context.ask?.user) asked += 1
      return await user(...question)
    },
  }
  const used: CallContext = { ...context, ask: { ...context.ask, ...asking } }
  return {
    execute: async (values) => {
      count += 1
      const made = { ...call, id: `call-${count}`, arguments: values }
      await record({ type: 'tool_call', call: made })
      const result = await executor.execute(made, used)
      await record({ type: 'tool_result', result })
      return result
    },
    answer: async (waitingResult) => {
      const before = asked
      const answered = await executor.answerWaiting(waitingResult, used)
      if (!answered) return undefined
      const { call: made, result } = answered
      await record({ type: 'tool_call', call: made }, { type: 'tool_result', result })
      return { result, wasAsked: asked > before }
    },
    close: async () => {
      await executor.close()
      isClosed = true
    },
  }
}
