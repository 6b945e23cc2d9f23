import type { Template } from './template.ts'

/** Why a value cannot stand in a word of a command. */
export interface Refusal {
  readonly at: 'refused'
  readonly why: 'text' | 'script' | 'program' | 'option' | 'variable'
  /** The program that would run the value, or start it. */
  readonly program: string
}

/** Says why, and what to write instead. */
export function explain({ why, program }: Refusal, { parts }: Template): string {
  const paths = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.path]))
  const placeholder = `{{${paths[0]?.join('.') ?? ''}}}`
  const isArgument = paths.every(([root, field]) => root === 'tool' && field === 'arguments')
  const code = isArgument
    ? '; code = true of the parameter says that a model writes what is run'
    : ''
  switch (why) {
    case 'text':
      return program === 'env -S'
        ? `env makes a command of this text, so that a value could start anything: write its words one by one`
        : `a value in the program text of ${program} would be run: ${wayFor(program, placeholder)}${code}`
    case 'script':
      return `${program} could take a value here as its script, or as an option, which can hold program text: write the script or the program text before it as a fixed word (behind -- where options stand before that), or a fixed beginning such as ./; or ${wayFor(program, placeholder)}${code}`
    case 'program':
      return `a value here could decide what ${program} starts: name the program before it, behind -- where options stand before that; the value of an option stands in one word with it, --name=${placeholder}`
    case 'option':
      return `a value here would be part of the name of an option: write the option, then the value as a word of its own, or --name=${placeholder}`
    case 'variable':
      return 'a value of this variable could decide what is run: set it with another name'
  }
}

/** What is written instead, and where the program finds the value then; by the names of programs. */
const WAYS: readonly (readonly [programs: RegExp, command: string, found: string])[] = [
  [/^py/, '"python3", "-c", "…", X', 'sys.argv[1]'],
  [/^fish$/, '"fish", "-c", "… $argv[1]", "--", X', '$argv[1]'],
  [/^(?:node|nodejs|iojs|bun|tsx|ts-node|qjs)$/, '"node", "-e", "…", "--", X', 'process.argv[1]'],
  [/^deno$/, '"deno", "run", "script.ts", X', 'Deno.args[0]'],
  [/ruby$|^irb$/, '"ruby", "-e", "…", "--", X', 'ARGV[0]'],
  [/^perl$/, '"perl", "-e", "…", "--", X', '$ARGV[0]'],
  [/^php$/, '"php", "-r", "…", "--", X', '$argv[1]'],
  [/^lua/, '"lua", "-e", "…", "-", X', 'an argument'],
  [/awk$/, '"awk", "-v", "x=X", "… x …"', 'x'],
  [/^g?sed$/, '"sed", "--sandbox", "-e", X', 'text that can neither run (e) nor write (w)'],
  [/^(?:powershell|pwsh)$/, '"pwsh", "-File", "script.ps1", X', '$args[0]'],
  [/^/, '"sh", "-c", "… \\"$1\\"", "sh", X', '"$1"'],
]

function wayFor(program: string, placeholder: string): string {
  const [, command = '', found = ''] = WAYS.find(([programs]) => programs.test(program)) ?? []
  const words = command.replace(/X(?=")/, () => placeholder).replace(/X$/, () => `"${placeholder}"`)
  return `give the value a word of its own, [${words}], which the program reads as ${found}`
}
