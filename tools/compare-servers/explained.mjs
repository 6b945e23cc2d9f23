// The differences that a gateway must make, with their reasons. All others are mistakes of ours.

import { isDeepStrictEqual } from 'node:util'

const CHECKED = /^Invalid arguments for the tool "[^"]*"; the call was not run\./
const PREFIX = /^(MCP error -?\d+: )(?:MCP error -?\d+: )*/

const getText = (answer) => answer?.result?.content?.[0]?.text ?? ''
const isRefused = (answer) => answer?.error !== undefined || answer?.result?.isError === true

/** Each reason, and whether a difference has it. `name`: what was compared; `answers`: both answers. */
const EXPLAINED = [
  {
    reason: '`read_tool_result` is added: it reads the rest of a result that was cut',
    covers: ({ name, path, bare, gateway }) =>
      bare === undefined &&
      (name === 'tools/list read_tool_result' ||
        (name === 'tools/list' && path !== '' && gateway === 'read_tool_result')),
  },
  {
    reason:
      'changes of the list of tools are always announced: a server that was started again may have others',
    covers: ({ name, path, gateway }) =>
      name === 'capabilities' && path === '/tools/listChanged' && gateway === true,
  },
  {
    reason:
      'arguments that do not match the schema are refused before they are sent, and each wrong one is named; the server refuses them too',
    covers: ({ answers }) => isRefused(answers.bare) && CHECKED.test(getText(answers.gateway)),
  },
  {
    reason: "an unknown tool is MCP's error -32602, in whatever way the server refuses it",
    covers: ({ name, answers: { bare, gateway } }) =>
      name.startsWith('tools/call no-such-tool ') &&
      isRefused(bare) &&
      gateway.error?.code === -32_602,
  },
  {
    reason: 'a question has the mode "form", which is the one of a question without a mode',
    covers: ({ path, bare, gateway }) =>
      /^\/asked\/\d+\/params\/mode$/.test(path) && bare === undefined && gateway === 'form',
  },
  {
    reason:
      'a program has the variable `TOOL_RUN_ID`, by which it is found and ended with the gateway',
    covers: ({ name, answers: { bare, gateway } }) => {
      if (name !== 'tools/call get-env {}') return false
      const { TOOL_RUN_ID: id, ...others } = JSON.parse(getText(gateway))
      return id !== undefined && isDeepStrictEqual(others, JSON.parse(getText(bare)))
    },
  },
  {
    reason: 'a message that begins with "MCP error …" more than once is passed on with it once',
    covers: ({ path, bare, gateway }) =>
      path === '/error/message' && bare.replace(PREFIX, '$1') === gateway,
  },
  {
    reason:
      "a protocol error of a tool is a result with `isError`, with the error's code and text, so that a model reads it",
    covers: ({ name, answers: { bare, gateway } }) =>
      name.startsWith('tools/call ') &&
      bare.error !== undefined &&
      gateway.result?.isError === true &&
      getText(gateway).includes(`the server answered with error ${bare.error.code}`) &&
      JSON.stringify(gateway.result.content).includes(
        JSON.stringify(bare.error.message.replace(PREFIX, '')).slice(1, -1),
      ),
  },
]

/** Adds the reason to a difference that has one. */
export function explain(difference) {
  const known = EXPLAINED.find(({ covers }) => covers(difference))
  return { ...difference, reason: known?.reason }
}
