// Finds the lines of a TypeScript file that pass values on, or that wait for and end something, and the breaks of each.
import { parseAst } from 'rolldown/parseAst'

/** @typedef {{ kind: string, start: number, end: number, instead: string, line: number, text: string }} Break */

/** Objects whose fields are settings of a caller, if they are passed to a function one by one. */
const SETTINGS = /(options|context|settings|config|definition|entry|request|limits)$/i

/** Methods and functions that end something or forget it. */
const ENDS =
  /^(abort|cancel|clear|clearInterval|clearTimeout|close|delete|destroy|dispose|drop|end|forget|kill|leave|off|release|remove|removeEventListener|removeListener|return|stop|terminate|throwIfAborted|unlink|unref|unsubscribe|unwatch)$/

/**
 * Returns the breaks of a file: `start` to `end` is replaced by `instead`.
 * @returns {Break[]}
 */
export function findWiring(file, source) {
  const breaks = []
  const add = (kind, start, end, instead) => {
    const from = source.lastIndexOf('\n', start - 1) + 1
    const to = source.indexOf('\n', start)
    const line = source.slice(0, start).split('\n').length
    const text = source.slice(from, to < 0 ? source.length : to).trim()
    breaks.push({ kind, start, end, instead, line, text })
  }
  const getText = ({ start, end }) => source.slice(start, end)
  const inSpread = new Set()
  const program = parseAst(source, { lang: 'ts' }, file)
  const pauses = findPauses(program)
  visit(program, (node) => {
    switch (node.type) {
      case 'ObjectExpression':
        for (const property of node.properties) {
          // `...(x && { x })` is one break, not two.
          const spreadValue = property.argument?.right
          if (spreadValue?.properties?.length === 1) inSpread.add(spreadValue)
          if (isPassedOn(property) && !inSpread.has(node))
            add(getKind(property), ...getReach(source, property), '')
        }
        return
      case 'ObjectPattern':
        for (const { value, shorthand, start } of node.properties)
          if (value?.type === 'AssignmentPattern')
            add('default', start, value.start, shorthand ? 'noSuchOption: ' : '')
        return
      case 'LogicalExpression':
        if (node.operator === '??' && !isNothing(node.right))
          add(
            'which wins',
            node.start,
            node.end,
            `((${getText(node.right)}) ?? (${getText(node.left)}))`,
          )
        return
      case 'ChainExpression':
        if (callsHook(node.expression)) add('hook', node.start, node.end, 'void 0')
        return
      case 'ExpressionStatement': {
        const { expression } = node
        const isAwaited = expression.type === 'AwaitExpression'
        const called = isAwaited ? expression.argument : expression
        if (isAwaited && !isPause(called, pauses))
          add('not awaited', node.start, node.end, `void (${getText(called)})`)
        if (called.type === 'CallExpression' && ENDS.test(getName(called.callee)))
          add('not ended', node.start, node.end, 'void 0')
        return
      }
      case 'TryStatement':
        if (node.finalizer) add('no finally', node.finalizer.start, node.finalizer.end, '{}')
        return
      case 'CallExpression':
        if (/^on[A-Z]/.test(getName(node.callee)) && !node.optional)
          add('hook', node.start, node.end, 'void 0')
        // Without a handler for a missing package, only a folder without the package differs: `test/optional-peers.test.ts`.
        if (
          getName(node.callee) === 'catch' &&
          node.arguments.length === 1 &&
          node.callee.object.type !== 'ImportExpression'
        )
          add('not caught', node.callee.object.end, node.end, '')
        for (const argument of node.arguments)
          if (argument.type === 'MemberExpression' && SETTINGS.test(getName(argument.object)))
            add('argument', argument.start, argument.end, 'undefined')
        return
      default:
    }
  })
  return breaks.filter(({ kind, start, end, instead }) => {
    const stays = kind === 'default' && instead === ''
    return !stays && source.slice(start, end) !== instead
  })
}

/** Returns the names under which a file imports the pauses of Node.js. */
function findPauses({ body }) {
  return new Set(
    body.flatMap(({ type, source, specifiers }) =>
      type === 'ImportDeclaration' && source.value === 'node:timers/promises'
        ? specifiers.map(({ local }) => local.name)
        : [],
    ),
  )
}

/** Whether a call only lets time pass: without it, time differs, or a loop that looks again never lets others work. */
function isPause(called, pauses) {
  if (called.type === 'NewExpression')
    return called.arguments.length === 1 && getName(called.arguments[0]) === 'setImmediate'
  if (called.type !== 'CallExpression') return false
  const { callee } = called
  const isCaught = callee.type === 'MemberExpression' && getName(callee) === 'catch'
  return isCaught ? isPause(callee.object, pauses) : pauses.has(getName(callee))
}

/** Whether a field or a spread passes a value on unchanged. Computed values and literals do not count. */
function isPassedOn(property) {
  if (property.type === 'SpreadElement') return true
  if (property.kind !== 'init' || property.method || property.computed) return false
  const { type, expression } = property.value
  return (
    type === 'Identifier' ||
    type === 'MemberExpression' ||
    (type === 'ChainExpression' && expression.type === 'MemberExpression')
  )
}

function getKind({ type, argument, shorthand }) {
  if (type !== 'SpreadElement') return shorthand ? 'field' : 'renamed field'
  return argument.type === 'LogicalExpression' ? 'optional field' : 'spread'
}

/** Returns the range of a property and of the comma after it. */
function getReach(source, { start, end }) {
  const comma = /^\s*,/.exec(source.slice(end))
  return [start, end + (comma?.[0].length ?? 0)]
}

function isNothing({ type, name, value }) {
  return (type === 'Identifier' && name === 'undefined') || (type === 'Literal' && value === null)
}

/** `onX?.(…)`, also if it continues: `onX?.(…).then(…)`. */
function callsHook(expression) {
  if (expression.type === 'CallExpression')
    return expression.optional || callsHook(expression.callee)
  return expression.type === 'MemberExpression' && callsHook(expression.object)
}

function getName({ type, name, property }) {
  if (type === 'Identifier') return name
  return type === 'MemberExpression' && property.type === 'Identifier' ? property.name : ''
}

function visit(node, see) {
  if (Array.isArray(node)) for (const each of node) visit(each, see)
  else if (typeof node === 'object' && node !== null) {
    if (typeof node.type === 'string') see(node)
    for (const value of Object.values(node)) visit(value, see)
  }
}
