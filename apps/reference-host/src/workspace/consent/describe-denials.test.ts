import type { TurnEvent } from '@toolblocks/agent'
import { createFailure, createSuccessResult, type ToolResult } from '@toolblocks/protocol'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { placeRules, type RuleDecision, toDecision } from './rule-sources.ts'
import { type DescribedDenials, describeDenials, warnOfDenials } from './describe-denials.ts'
import { createTerminal } from '../../terminal/terminal.ts'

/** The rule of the command line that denies the calls of a tool. */
function denyBy(rule: string): RuleDecision {
  const [placedRule] = placeRules([rule], 'command line')
  if (!placedRule) throw new Error(`not a rule: ${rule}`)
  return toDecision(placedRule)
}

function open(): { denials: DescribedDenials; read: () => string } {
  const [stderr, stream] = [new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin: stream, stdout: stream, stderr, env: {} } as never)
  return {
    denials: describeDenials({ terminal, command: 'npx toolblocks' }),
    read: () => String(stderr.read() ?? ''),
  }
}

const DENIED = createFailure('no', 'denied')

const end = (id: string, result: ToolResult = DENIED): TurnEvent => ({
  type: 'result',
  call: { id, name: 'a', arguments: {} },
  milliseconds: 1,
  result,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not read
  delivered: {} as never,
})

test('the place of the rule that denied a call follows its result, once', async () => {
  const { denials, read } = open()
  denials.onDenied({ id: '1', name: 'a' }, denyBy('deny first'), [])
  denials.onDenied({ id: '2', name: 'a' }, denyBy('deny second'), [])
  const order: string[] = []
  const show = denials.after(async () => {
    order.push(`shown, then ${JSON.stringify(read())}`)
  })
  await show(end('2'))
  expect(order).toEqual(['shown, then ""'])
  expect(read()).toBe('The rule is the option --deny-tool "second".\n')
  await show(end('2'))
  expect(read()).toBe('')
  denials.showAll()
  expect(read()).toBe('The rule is the option --deny-tool "first".\n')
  denials.showAll()
  expect(read()).toBe('')
})

test('calls of agents with the same id are not confused, and a call that was not denied has no rule', async () => {
  const { denials, read } = open()
  const show = denials.after(() => {})
  const byAgent = (moment: TurnEvent): TurnEvent => ({ type: 'delegated', agent: 'ada', moment })
  denials.onDenied({ id: '1', name: 'a' }, denyBy('deny own'), [])
  denials.onDenied({ id: '1', name: 'a' }, denyBy('deny agents'), ['ada'])
  await show(byAgent(end('1', createSuccessResult([]))))
  await show(byAgent(byAgent(end('1'))))
  expect(read()).toBe('')
  await show(byAgent(end('1')))
  expect(read()).toBe('The rule is the option --deny-tool "agents".\n')
  await show(end('1'))
  expect(read()).toBe('The rule is the option --deny-tool "own".\n')
})

test('a service warns about each rule that denies a call, once', () => {
  const warnings: string[] = []
  const onDenied = warnOfDenials((message) => void warnings.push(message), 'tb')
  onDenied({ id: '1', name: 'a' }, denyBy('deny a*'), [])
  onDenied({ id: '2', name: 'ab' }, denyBy('deny a*'), [])
  onDenied({ id: '3', name: 'b' }, denyBy('deny b'), [])
  expect(warnings).toEqual([
    'a call of a was denied by the rule a* (command line); it is the option --deny-tool "a*"',
    'a call of b was denied by the rule b (command line); it is the option --deny-tool "b"',
  ])
})

test('of a rule whose source says enough, nothing follows the result', () => {
  const { denials, read } = open()
  const [placedRule] = placeRules(['deny a'], 'configuration')
  if (placedRule) denials.onDenied({ id: '1', name: 'a' }, toDecision(placedRule), [])
  denials.showAll()
  expect(read()).toBe('')
})
