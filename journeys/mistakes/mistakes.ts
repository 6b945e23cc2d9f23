/** A mistake of a person: the command, its folder, and the beginning of a sentence about it. */
export interface Mistake {
  mistake: string
  /** The words after `toolblocks`, in the syntax of a shell. */
  typed: string
  /** The folder in which it is typed. Default: `workspace`. */
  at?: string
  environment?: Readonly<Record<string, string>>
}

const TOOL = `source = "local"\nrun = "unattended"\n`

/** Creates a workspace with tools, and other workspaces with one mistake each. */
export function createMistakeFolders({
  node,
  server,
  provider,
}: {
  node: string
  /** The table of an MCP server that works. */
  server: string
  /** The address of a provider that refuses every key. */
  provider: string
}): Readonly<Record<string, string>> {
  const table = (name: string, command: readonly string[], more = 'parameters = {}\n'): string =>
    `[tools.${name}]\n${TOOL}command = ${JSON.stringify(command)}\n${more}`
  const model = (more: string): string =>
    `[model]\nprovider = "openai-compatible"\nname = "m"\nbase_url = "${provider}"\n${more}`
  return {
    'workspace/toolblocks.toml':
      table(
        'read',
        ['cat', '{{tool.arguments.path}}'],
        '[tools.read.parameters.path]\ntype = "string"\nsummary = "The file."\n' +
          '[tools.read.parameters.lines]\ntype = "integer"\nrequired = false\n' +
          '[tools.read.parameters.mode]\ntype = "string"\nenum = ["fast", "whole"]\nrequired = false\n',
      ) +
      table('mail', ['cat', 'mail.json']) +
      table('review', [node, 'review.mjs'], 'parameters = {}\nstateful = true\n') +
      table('windows', ['./windows.sh']) +
      table('fails', ['sh', '-c', 'echo the harbour is closed >&2; exit 4']) +
      table('slow', ['sleep', '10'], 'parameters = {}\ntimeout_secs = 0.1\n') +
      server +
      '[store]\nurl = "sqlite:kept.db"\n',
    'workspace/mail.json': JSON.stringify({
      content: [
        { type: 'text', text: 'The letter is ready.' },
        {
          type: 'question',
          question: {
            id: 'address',
            text: 'To whom?',
            schema: { type: 'string', format: 'email' },
          },
        },
      ],
    }),
    'workspace/review.mjs': REVIEW,
    'workspace/windows.sh': '#!/bin/sh\r\necho hi\r\n',
    'workspace/report.py': 'import json\nprint(json.dumps({}))\n',
    'workspace/plain.txt': 'no program\n',
    'workspace/folder/inside.txt': 'text\n',
    'workspace/existing.html': 'mine\n',
    'empty/notes.txt': 'no conversation\n',
    'broken/toolblocks.toml':
      '[mcp.servers.closed]\ncommand = "sh"\nargs = ["-c", "echo no key given >&2; exit 3"]\n' +
      '[mcp.servers.gone]\ncommand = "no-such-program"\n' +
      table('gone', ['no-such-program']) +
      table('mute', ['sh', '-c', 'echo hello'], ''),
    'header.toml': '[tools.read\nsource = "local"\n',
    'list.toml': '[tools.read]\nsource = "local"\ncommand = ["cat",\nrun = "ask"\n',
    'key.toml': `[tools.read]\n${TOOL}comand = ["cat"]\n`,
    'section.toml': `[tool.read]\n${TOOL}`,
    'policy.toml': '[tools.read]\nsource = "local"\ncommand = "cat"\nrun = "allow"\n',
    'placeholder.toml': `[tools.read]\n${TOOL}command = ["cat", "{{tool.arguments.pth}}"]\n[tools.read.parameters.path]\ntype = "string"\n`,
    'command.toml': '[tools.read]\nsource = "local"\n',
    'twice.toml': '[store]\nurl = "sqlite:a.db"\n[store]\nurl = "sqlite:b.db"\n',
    'colon.toml': '[tools.read]\nsource: "local"\n',
    'word.toml': '[tools.read]\nsource = "local"\nstateful = True\n',
    'windows.toml': '[tools.read]\nsource = "local"\ncommand = "C:\\Users\\ada\\read.exe"\n',
    'quotes.toml': '[tools.read]\nsource = local\n',
    'object.toml': '{ "mcpServers": {} }\n',
    'store.toml': '[store]\nurl = "mysql://localhost/kept"\n',
    'provider.toml': '[model]\nprovider = "antropic"\nname = "m"\n',
    'scripted.toml': '[model]\nprovider = "scripted"\n',
    'nokey.toml': model('api_key_env = "KEY_THAT_IS_NOT_SET"\n'),
    'expired.toml': model('api_key_env = "EXPIRED_KEY"\n'),
  }
}

const REVIEW = `
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { seq, context, tool } = JSON.parse(line)
  const question = { id: 'keep', text: 'Keep it?', schema: { type: 'boolean' } }
  const waits = context.action === 'spawn' || !('answers' in (tool ?? {}))
  const content = waits
    ? [{ type: 'text', text: 'One line.' }, { type: 'question', question }]
    : [{ type: 'text', text: 'Done.' }]
  const status = waits ? 'waiting' : 'stopped'
  console.log(JSON.stringify({ content, _meta: { 'toolblocks/re': seq, 'computer.jp/status': status } }))
  if (!waits || context.action === 'abort') process.exit(0)
}
`

const config = (name: string, command = 'tools'): string => `${command} --config ../${name}.toml`

/** Common mistakes, in the order in which people make them. */
export function listMistakes(port: number): readonly Mistake[] {
  return [
    { mistake: 'no toolblocks.toml', typed: 'tools', at: 'empty' },
    { mistake: 'a command that does not exist', typed: 'cal read' },
    { mistake: 'an option that does not exist', typed: 'call read --agr path=a' },
    { mistake: 'an option that does not exist', typed: "call read --json '{}'" },
    { mistake: 'a wrong output format', typed: 'tools --output yaml' },
    { mistake: 'a limit that is not a number', typed: 'conversations list --limit few' },
    { mistake: 'a tool that does not exist', typed: 'call raed --arg path=a' },
    { mistake: 'a tool of a server, misspelled', typed: 'call notes__raed' },
    { mistake: 'a missing argument', typed: 'call read' },
    { mistake: 'an unknown argument', typed: 'call read --arg pth=a' },
    {
      mistake: 'letters instead of a number',
      typed: 'call read --arg path=a --arg lines=many',
    },
    { mistake: 'a value that is not in the list', typed: 'call read --arg path=a --arg mode=fsat' },
    { mistake: 'an argument without its value', typed: 'call read --arg path' },
    { mistake: 'a value without its argument', typed: 'call read a.txt' },
    { mistake: 'arguments that are not JSON', typed: "call read --arguments '{path: a}'" },
    { mistake: 'arguments that are a list', typed: "call read --arguments '[1]'" },
    {
      mistake: 'arguments in a file that does not exist',
      typed: 'call read --arguments @gone.json',
    },
    { mistake: 'a question without a person to answer it', typed: 'call mail' },
    { mistake: 'an answer in the wrong format', typed: 'call mail --answer address=ada' },
    {
      mistake: 'an answer to an unknown question',
      typed: 'call mail --answer adress=a@b.org',
    },
    { mistake: 'an answer without its question', typed: 'call mail --answer ada@example.org' },
    { mistake: 'an action for a tool that does not stay alive', typed: 'call mail --action fetch' },
    { mistake: 'an action that does not exist', typed: 'call review --action stop' },
    {
      mistake: 'a text that does not answer the open question',
      typed: 'call review --action apply=up',
    },
    { mistake: 'a tool that fails', typed: 'call fails' },
    { mistake: 'a tool that exceeds its time limit', typed: 'call slow' },
    { mistake: 'a script with the line ends of Windows', typed: 'call windows' },
    { mistake: 'the same tool, served', typed: 'serve ./windows.sh' },
    { mistake: 'a script without its #! line', typed: 'call ./report.py' },
    { mistake: 'a file that is not executable', typed: 'call ./plain.txt' },
    { mistake: 'a program that does not exist', typed: 'call ./gone.sh' },
    { mistake: 'a folder as a program', typed: 'serve ./folder' },
    { mistake: 'a header without its ]', typed: config('header') },
    { mistake: 'a list without its ]', typed: config('list') },
    { mistake: 'a key with a typing error', typed: config('key') },
    { mistake: 'a section with a typing error', typed: config('section') },
    { mistake: 'a policy that does not exist', typed: config('policy') },
    { mistake: 'a placeholder without a parameter', typed: config('placeholder') },
    { mistake: 'a tool without a command', typed: config('command') },
    { mistake: 'a duplicate table', typed: config('twice') },
    { mistake: 'a colon instead of an equals sign', typed: config('colon') },
    { mistake: 'a word of another format', typed: config('word') },
    { mistake: 'a path of Windows in double quotes', typed: config('windows') },
    { mistake: 'a text without quotes', typed: config('quotes') },
    { mistake: "JSON, as in other hosts' files", typed: config('object') },
    { mistake: 'a store of an unknown kind', typed: config('store') },
    { mistake: 'a provider with a typing error', typed: config('provider') },
    { mistake: 'a configuration that does not exist', typed: config('gone') },
    { mistake: 'a tool whose program does not exist', typed: 'call gone', at: 'broken' },
    { mistake: 'a tool without a description of its arguments', typed: 'call mute', at: 'broken' },
    { mistake: 'a server that ends at once', typed: 'call closed__x', at: 'broken' },
    { mistake: 'a server whose program does not exist', typed: 'call gone__x', at: 'broken' },
    {
      mistake: 'a folder without agreement',
      typed: 'tools',
      environment: { TOOLBLOCKS_TRUST: '' },
    },
    { mistake: 'no model', typed: 'run Hello', at: 'empty' },
    { mistake: 'a prompt without quotes', typed: 'run what is this' },
    { mistake: 'a key that is not set', typed: config('nokey', 'run Hello') },
    {
      mistake: 'a key that has expired',
      typed: config('expired', 'run Hello'),
      environment: { EXPIRED_KEY: 'old' },
    },
    { mistake: 'a chat without a terminal', typed: config('scripted', 'chat') },
    { mistake: 'a conversation that does not exist', typed: 'conversations show lamps' },
    { mistake: 'a file to view that does not exist', typed: 'view /nope/session.jsonl' },
    { mistake: 'a format without a file to view', typed: 'view --from codex' },
    { mistake: 'a file without a conversation', typed: 'import ../empty/notes.txt' },
    { mistake: 'nothing to import', typed: 'import' },
    { mistake: 'turns in the wrong order', typed: 'conversations show lamps --turns 3-1' },
    { mistake: 'a port that is in use', typed: `serve --http ${port}` },
    { mistake: 'a host without --http', typed: 'serve --host 0.0.0.0' },
    {
      mistake: 'a token in a variable that is not set',
      typed: 'serve --http 0 --token-env NOT_SET',
    },
    {
      mistake: 'a page that would overwrite a file',
      typed: 'gallery --output html --to existing.html',
    },
    { mistake: 'a tool with an invalid name', typed: "new 'my tool!'" },
    { mistake: 'a tool that already exists', typed: 'new read --language bash' },
    { mistake: 'a second init', typed: 'init' },
    { mistake: 'a server that is not configured', typed: 'mcp inspect nots' },
    { mistake: 'a server that already exists', typed: 'mcp add notes true' },
    { mistake: 'a rule for an unknown tool', typed: 'approvals allow raed' },
    { mistake: 'an agreement that does not exist', typed: 'approvals revoke 12345678' },
    { mistake: 'an unknown shell', typed: 'completion tcsh' },
    { mistake: 'an option before its command', typed: '--config x.toml tools' },
    {
      mistake: 'a typed rule about an argument, misspelled',
      typed: "call read --arg path=a --deny-tool 'read(pth=a)'",
    },
    { mistake: 'an argument of a tested call, misspelled', typed: "approvals test 'read(pth=a)'" },
  ]
}
