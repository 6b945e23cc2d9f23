import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createProgram } from '../apps/reference-host/src/cli/create-program.ts'
import { EXIT, EXIT_CODES_HELP } from '../apps/reference-host/src/process/exit-codes.ts'
import { createTerminal } from '../apps/reference-host/src/terminal/terminal.ts'
import { parseConfiguration } from '../apps/reference-host/src/workspace/configuration/parse-configuration.ts'
import { readServerConfigs } from '../packages/mcp-bridge/src/index.ts'
import { parseToolOutput } from '../packages/parser/src/index.ts'

const root = resolve(import.meta.dirname, '..')

/** A code block of a document. `words` are behind its language: a file name, or the kind of an example. */
interface Block {
  file: string
  line: number
  language: string
  infoString: string
  code: string
}

/** The documents that people read: those of the repository, its packages, its command and its tests. */
const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) =>
    /^(?:[A-Z]+|docs\/[\w-]+|(?:packages|apps)\/[\w-]+\/README|\w+\/README)\.md$/.test(file),
  )
  .filter((file) => existsSync(join(root, file)))

const blocks = documents.flatMap(readBlocks)

function readBlocks(file: string): readonly Block[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^(`{3,})(\w*)[ \t]*(.*)\n([\s\S]*?)^\1$/gm)].map((match) => {
    const [, , language = '', infoString = '', code = ''] = match
    const line = text.slice(0, match.index).split('\n').length
    return { file, line, language, infoString, code }
  })
}

const name = ({ file, line }: Block): string => `${file}:${line}`
const inLanguage = (...languages: readonly string[]): readonly (readonly [string, Block])[] =>
  blocks.filter(({ language }) => languages.includes(language)).map((block) => [name(block), block])

/** How each language of a code block is tested. A block in another language fails this test. */
const TESTED: Readonly<Record<string, string>> = {
  ts: 'its types are checked here',
  tsx: 'its types are checked here',
  json: 'it is read here as servers or as the output of a tool; test/protocol-document.test.ts reads those of docs/protocol.md',
  toml: 'it is read here as a configuration',
  sh: 'its commands and options are compared with the program here',
  bash: 'test/protocol-document.test.ts and test/authoring-document.test.ts run it',
  python: 'test/protocol-document.test.ts and test/authoring-document.test.ts run it',
  go: 'test/protocol-document.test.ts runs it',
  rust: 'test/protocol-document.test.ts runs it',
  diff: 'test/extending/extending.test.ts applies it',
  css: 'packages/react/browser/tailwind.test.ts measures a page with it',
  text: 'output, or settings with comments in columns: docs/extending.md is compared by test/extending/extending.test.ts',
  '': 'output, or a picture made of letters',
}

test('the code blocks of all documents are found', () => {
  expect(documents.length).toBeGreaterThan(35)
  expect(blocks.length).toBeGreaterThan(90)
})

test('every language of a code block has a test', () => {
  const untested = blocks.filter(({ language }) => !Object.hasOwn(TESTED, language))
  expect(untested.map((block) => `${name(block)} ${block.language}`)).toEqual([])
})

test.for(
  blocks.filter(({ language }) => ['bash', 'python', 'go', 'rust', 'diff'].includes(language)),
)('$file:$line, in $language, is in a document whose test runs it', ({ file, language }) => {
  const run: Readonly<Record<string, readonly string[]>> = {
    bash: ['docs/protocol.md', 'docs/authoring-tools.md'],
    python: ['docs/protocol.md', 'docs/authoring-tools.md'],
    diff: ['docs/extending.md'],
  }
  expect(run[language] ?? ['docs/protocol.md']).toContain(file)
})

/** A block that is a part of a program: what a reader has written before it. `begins` is how the block begins. */
interface Fragment {
  file: string
  begins: string
  /** Why the block is not complete. */
  reason: string
  before: string
}

const AUTHORED = blocks.find(({ infoString }) => infoString === '2-typed.ts')?.code ?? ''

const FRAGMENTS: readonly Fragment[] = [
  {
    file: 'docs/authoring-tools.md',
    begins: 'const result = await testTool(countLines',
    reason: 'it tests the tool of step 2',
    before: `${AUTHORED}\nimport { testTool } from '@toolblocks/tool-sdk'\ndeclare const folder: string\n`,
  },
  {
    file: 'docs/authoring-tools.md',
    begins: 'import { serveTools }',
    reason: 'it serves the tool of step 2',
    before: AUTHORED,
  },
  {
    file: 'docs/migration.md',
    begins: 'import { openSource, readConversations',
    reason: 'the store is opened before',
    before: `import type { ConversationStore } from '@toolblocks/conversation-store'\ndeclare const store: ConversationStore\n`,
  },
  {
    file: 'packages/tool-executor/README.md',
    begins: 'for (\n  let last = result',
    reason: 'it continues the usage above, and `record` belongs to the host',
    before: `import type { ToolCall, ToolContext, ToolResult } from '@toolblocks/protocol'
import type { ToolExecutor } from '@toolblocks/tool-executor'
declare const executor: ToolExecutor
declare const context: Parameters<ToolExecutor['execute']>[1]
declare const result: ToolResult
declare function record(call: ToolCall, result: ToolResult): void
`,
  },
]

/** Blocks whose types are not checked, with the reason. */
const UNCHECKED = [
  {
    file: 'docs/extending.md',
    begins: 'import { openModel } from',
    reason:
      'its provider is added by the diff before it; test/extending/extending.test.ts applies that diff and runs the block',
  },
]

const isUnchecked = ({ file, code }: Block): boolean =>
  UNCHECKED.some((each) => each.file === file && code.startsWith(each.begins))

test.for(UNCHECKED)(
  '$file still contains the block that begins with $begins',
  ({ file, begins }) => {
    expect(blocks.some((block) => block.file === file && block.code.startsWith(begins))).toBe(true)
  },
)

const findFragment = ({ file, code }: Block): Fragment | undefined =>
  FRAGMENTS.find((fragment) => fragment.file === file && code.startsWith(fragment.begins))

test.for(FRAGMENTS)(
  '$file still contains the part of a program that begins with $begins',
  (fragment) => {
    expect(blocks.some((block) => findFragment(block) === fragment)).toBe(true)
  },
)

/** Where each name such as `@toolblocks/renderer/html` is in the sources. */
function findSources(): Record<string, string[]> {
  const folders = readdirSync(join(root, 'packages')).map((folder) =>
    join(root, 'packages', folder),
  )
  const entries = folders
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .flatMap((folder) => {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return Object.entries<string>(manifest.exports)
        .filter(([, source]) => source.endsWith('.ts'))
        .map(([entry, source]) => [manifest.name + entry.slice(1), [join(folder, source)]])
    })
  return Object.fromEntries(entries)
}

/** Where libraries are on which only one package depends. */
function findLibraries(): Record<string, string[]> {
  const installed = join(root, 'packages/ai-sdk/node_modules')
  const pages = join(root, 'packages/react/node_modules')
  return {
    ai: [join(installed, 'ai/dist/index.d.ts')],
    'ai/test': [join(installed, 'ai/dist/test/index.d.ts')],
    '@ai-sdk/provider': [join(installed, '@ai-sdk/provider/dist/index.d.ts')],
    '@ai-sdk/react': [join(pages, '@ai-sdk/react/dist/index.d.ts')],
    react: [join(pages, '@types/react/index.d.ts')],
    'react/jsx-runtime': [join(pages, '@types/react/jsx-runtime.d.ts')],
    'react-dom/server': [join(pages, '@types/react-dom/server.d.ts')],
  }
}

/** Writes the blocks as files of one project, and returns the compiler's messages, with the place of each block instead of its file. */
async function checkTypes(
  checked: readonly { code: string; location: string; language?: string }[],
): Promise<string[]> {
  const folder = join(root, 'node_modules/.cache/code-blocks', String(process.pid))
  mkdirSync(folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [index, { code, language = 'ts' }] of checked.entries()) {
    // docs/extending.md runs its programs in the root of a clone.
    const moved = code.replaceAll(
      /(?<=from ')\.\/(?=(?:packages|apps)\/)/g,
      `${root.replaceAll('\\', '/')}/`,
    )
    // A file without imports would share its names with all others.
    writeFileSync(join(folder, `block-${index}.${language}`), `${moved}\nexport {}\n`)
  }
  const options = {
    paths: { ...findSources(), ...findLibraries() },
    typeRoots: [join(root, 'node_modules/@types')],
    // Nothing is emitted, and the addresses below the root are absolute.
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
    // A fragment may declare what it does not use.
    noUnusedLocals: false,
    noUnusedParameters: false,
    // A stylesheet has no types.
    noUncheckedSideEffectImports: false,
    jsx: 'react-jsx',
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    noEmit: true,
  }
  const project = {
    extends: join(root, 'tsconfig.base.json'),
    include: ['*.ts', '*.tsx'],
    compilerOptions: options,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = [compiler, '-p', folder, '--pretty', 'false']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      line.replace(/^block-(\d+)\.tsx?/, (_, index) => checked[Number(index)]?.location ?? ''),
    )
}

test('the types of every TypeScript block are correct', { timeout: 120_000 }, async () => {
  const checked = inLanguage('ts', 'tsx')
    .filter(([, block]) => !isUnchecked(block))
    .map(([location, block]) => ({
      location,
      code: (findFragment(block)?.before ?? '') + block.code,
      language: block.language,
    }))
  expect(checked.length).toBeGreaterThan(25)
  expect(await checkTypes(checked)).toEqual([])
})

test('a wrong type in a block is found', { timeout: 120_000 }, async () => {
  const code = `import { parseToolOutput } from '@toolblocks/parser'\nparseToolOutput(3)\n`
  expect(await checkTypes([{ location: 'a.md:1', code }])).toEqual([
    expect.stringMatching(/^a\.md:1\(2,17\): error TS2345: .*'number'/),
  ])
})

/** All examples but those of the protocol. test/protocol-document.test.ts reads each example of its document as what it is. */
const examples = inLanguage('json').filter(([, { file }]) => file !== 'docs/protocol.md')
const hasServers = ([, { code }]: readonly [string, Block]): boolean =>
  code.includes('"mcpServers"')

test.for(examples.filter(hasServers))(
  '%s is a list of MCP servers without a problem',
  ([, { code }]) => {
    expect(readServerConfigs(JSON.parse(code), { environment: {} }).problems).toEqual([])
  },
)

test.for(examples.filter((example) => !hasServers(example)))(
  '%s is the output of a tool without a warning',
  ([, { code }]) => {
    expect(parseToolOutput(code)).toMatchObject({ format: 'blocks', warnings: [] })
  },
)

test.for(inLanguage('toml'))('%s is a valid configuration', async ([, { code }]) => {
  const parsed = await parseConfiguration(code, '/w/toolblocks.toml')
  expect(parsed.ok ? parsed.warnings : parsed.problems).toEqual([])
})

const context = {
  terminal: createTerminal(process),
  command: ['toolblocks'],
  folder: root,
  signal: new AbortController().signal,
  interrupt: () => undefined,
  readText: async () => '',
}
const program = createProgram(context as unknown as Parameters<typeof createProgram>[0], [], {
  version: '0.0.0',
  end: () => undefined,
})
const scripts: Record<string, string> = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
).scripts
const packageNames = new Set(Object.keys(findSources()))

/** Returns what is wrong with one line of a shell: an unknown command, option, script or package of this project. */
function findMistakes(line: string): readonly string[] {
  // A comment, and values in quotes, have words that are no options.
  const [typed = ''] = line.replaceAll(/'[^']*'|"[^"]*"/g, 'VALUE').split(/\s#/)
  const args = typed.trim().split(/\s+/)
  if (args[0] === 'toolblocks') return findUnknownWords(args.slice(1))
  if (args[0] === 'npx' && args[2]?.startsWith('pnpm@')) {
    const [script = ''] = args.slice(3)
    if (script === 'exec') return []
    return Object.hasOwn(scripts, script) ? [] : [`package.json has no script "${script}"`]
  }
  if (args[0] === 'npm' && args[1] === 'install')
    return args
      .filter((word) => word.startsWith('@toolblocks/') && !packageNames.has(word))
      .map((word) => `there is no package ${word}`)
  return []
}

function findUnknownWords(args: readonly string[]): readonly string[] {
  let command = program
  let rest = args
  for (;;) {
    const inner = command.commands.find(
      (each) => each.name() === rest[0] || each.aliases().includes(rest[0] ?? ''),
    )
    if (inner === undefined) break
    command = inner
    rest = rest.slice(1)
  }
  if (command === program) return [`toolblocks has no command "${args[0]}"`]
  const known = new Set([...command.options, ...program.options].flatMap(({ long }) => long ?? []))
  known.add('--help')
  return rest
    .filter((word) => word.startsWith('--') && word !== '--')
    .map((word) => word.split('=')[0] ?? '')
    .filter((option) => !known.has(option))
    .map((option) => `"toolblocks ${command.name()}" has no option ${option}`)
}

test.for(inLanguage('sh'))(
  '%s names commands, options, scripts and packages that exist',
  ([, { code }]) => {
    expect(code.split('\n').flatMap(findMistakes)).toEqual([])
  },
)

test('a wrong command, option, script or package in a block is found', () => {
  expect(findMistakes('toolblocks cal x')).toEqual(['toolblocks has no command "cal"'])
  expect(findMistakes('toolblocks call x --jsn {}')).toEqual([
    '"toolblocks call" has no option --jsn',
  ])
  expect(findMistakes('npx -y pnpm@12.21.0 dem')).toEqual(['package.json has no script "dem"'])
  expect(findMistakes('npm install @toolblocks/parse')).toEqual([
    'there is no package @toolblocks/parse',
  ])
})

test('docs/building-a-host.md shows small-host.ts verbatim, and it runs', async () => {
  const file = join(root, 'apps/reference-host/examples/small-host.ts')
  const block = blocks.find(({ infoString }) => infoString === 'small-host.ts')
  expect(block).toMatchObject({ file: 'docs/building-a-host.md', code: readFileSync(file, 'utf8') })
  await promisify(execFile)(process.execPath, [file])
})

test('docs/exit-codes.md lists the exit codes of --help', () => {
  const document = readFileSync(join(root, 'docs/exit-codes.md'), 'utf8')
  const listed = [...document.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [
    Number(code),
    meaning,
  ])
  const help = EXIT_CODES_HELP.replaceAll(/\n {7}(?=\S)/g, ' ')
  const expected = [...help.matchAll(/^ {2}(\d+) +(.*)$/gm)].map(([, code, meaning]) => [
    Number(code),
    meaning,
  ])
  expect(listed).toEqual(expected)
  expect(listed.map(([code]) => code)).toEqual(Object.values(EXIT))
})
