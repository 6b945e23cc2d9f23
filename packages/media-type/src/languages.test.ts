import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { languageForMimeType, languageForPath, mimeTypeForPath } from './index.ts'
import { languages } from './languages.ts'

const rows: readonly (readonly [name: string, path: string, mimeType: string, tag: string])[] = [
  ['rust', 'x.rs', 'text/rust', 'rs'],
  ['python', 'x.py', 'text/x-python', 'py'],
  ['go', 'x.go', 'text/x-go', 'go'],
  ['typescript', 'x.ts', 'text/typescript', 'ts'],
  ['tsx', 'x.tsx', 'text/tsx', 'tsx'],
  ['javascript', 'x.js', 'text/javascript', 'js'],
  ['jsx', 'x.jsx', 'text/jsx', 'jsx'],
  ['c', 'x.c', 'text/x-c', 'c'],
  ['c++', 'x.cpp', 'text/x-c++', 'cpp'],
  ['objective-c', 'x.m', 'text/x-objective-c', 'objc'],
  ['objective-c++', 'x.mm', 'text/x-objective-c++', 'objcpp'],
  ['csharp', 'x.cs', 'text/x-csharp', 'cs'],
  ['fsharp', 'x.fs', 'text/x-fsharp', 'fs'],
  ['vb', 'x.vb', 'text/x-vb', 'vb'],
  ['java', 'x.java', 'text/x-java', 'java'],
  ['kotlin', 'x.kt', 'text/x-kotlin', 'kt'],
  ['scala', 'x.scala', 'text/x-scala', 'scala'],
  ['groovy', 'x.groovy', 'text/x-groovy', 'groovy'],
  ['clojure', 'x.clj', 'text/x-clojure', 'clj'],
  ['swift', 'x.swift', 'text/x-swift', 'swift'],
  ['dart', 'x.dart', 'text/x-dart', 'dart'],
  ['ruby', 'x.rb', 'text/x-ruby', 'rb'],
  ['erb', 'x.erb', 'text/x-erb', 'erb'],
  ['php', 'x.php', 'text/x-php', 'php'],
  ['perl', 'x.pl', 'text/x-perl', 'pl'],
  ['raku', 'x.raku', 'text/x-raku', 'raku'],
  ['lua', 'x.lua', 'text/x-lua', 'lua'],
  ['r', 'x.r', 'text/x-r', 'r'],
  ['julia', 'x.jl', 'text/x-julia', 'jl'],
  ['matlab', 'x.mlx', 'text/x-matlab', 'matlab'],
  ['haskell', 'x.hs', 'text/x-haskell', 'hs'],
  ['elm', 'x.elm', 'text/x-elm', 'elm'],
  ['purescript', 'x.purs', 'text/x-purescript', 'purescript'],
  ['ocaml', 'x.ml', 'text/x-ocaml', 'ml'],
  ['reason', 'x.re', 'text/x-reason', 'reason'],
  ['rescript', 'x.res', 'text/x-rescript', 'rescript'],
  ['sml', 'x.sml', 'text/x-sml', 'sml'],
  ['elixir', 'x.ex', 'text/x-elixir', 'ex'],
  ['heex', 'x.heex', 'text/x-heex', 'heex'],
  ['erlang', 'x.erl', 'text/x-erlang', 'erl'],
  ['gleam', 'x.gleam', 'text/x-gleam', 'gleam'],
  ['lisp', 'x.lisp', 'text/x-common-lisp', 'lisp'],
  ['elisp', 'x.el', 'text/x-emacs-lisp', 'elisp'],
  ['scheme', 'x.scm', 'text/x-scheme', 'scheme'],
  ['racket', 'x.rkt', 'text/x-racket', 'racket'],
  ['fennel', 'x.fnl', 'text/x-fennel', 'fennel'],
  ['zig', 'x.zig', 'text/x-zig', 'zig'],
  ['nim', 'x.nim', 'text/x-nim', 'nim'],
  ['crystal', 'x.cr', 'text/x-crystal', 'cr'],
  ['d', 'x.d', 'text/x-d', 'd'],
  ['vlang', 'x.vsh', 'text/x-vlang', 'v'],
  ['odin', 'x.odin', 'text/x-odin', 'odin'],
  ['mojo', 'x.mojo', 'text/x-mojo', 'mojo'],
  ['haxe', 'x.hx', 'text/x-haxe', 'haxe'],
  ['ada', 'x.adb', 'text/x-ada', 'ada'],
  ['pascal', 'x.pas', 'text/x-pascal', 'pascal'],
  ['fortran', 'x.f', 'text/x-fortran', 'fortran'],
  ['cobol', 'x.cob', 'text/x-cobol', 'cobol'],
  ['prolog', 'x.pro', 'text/x-prolog', 'prolog'],
  ['forth', 'x.fth', 'text/x-forth', 'forth'],
  ['apl', 'x.apl', 'text/x-apl', 'apl'],
  ['smalltalk', 'x.st', 'text/x-stsrc', 'st'],
  ['asm', 'x.asm', 'text/x-asm', 'asm'],
  ['llvm', 'x.ll', 'text/x-llvm', 'llvm'],
  ['wat', 'x.wat', 'text/x-wat', 'wat'],
  ['cuda', 'x.cu', 'text/x-cuda', 'cuda'],
  ['glsl', 'x.glsl', 'text/x-glsl', 'glsl'],
  ['hlsl', 'x.hlsl', 'text/x-hlsl', 'hlsl'],
  ['wgsl', 'x.wgsl', 'text/x-wgsl', 'wgsl'],
  ['metal', 'x.metal', 'text/x-metal', 'metal'],
  ['verilog', 'x.v', 'text/x-verilog', 'verilog'],
  ['systemverilog', 'x.sv', 'text/x-systemverilog', 'systemverilog'],
  ['vhdl', 'x.vhd', 'text/x-vhdl', 'vhdl'],
  ['solidity', 'x.sol', 'text/x-solidity', 'sol'],
  ['move', 'x.move', 'text/x-move', 'move'],
  ['lean', 'x.lean', 'text/x-lean', 'lean'],
  ['coq', 'x.coq', 'text/x-coq', 'coq'],
  ['agda', 'x.agda', 'text/x-agda', 'agda'],
  ['idris', 'x.idr', 'text/x-idris', 'idris'],
  ['gdscript', 'x.gd', 'text/x-gdscript', 'gdscript'],
  ['sh', 'x.sh', 'text/x-shellscript', 'sh'],
  ['fish', 'x.fish', 'text/x-fish', 'fish'],
  ['nushell', 'x.nu', 'text/x-nushell', 'nu'],
  ['powershell', 'x.ps1', 'text/x-powershell', 'ps1'],
  ['bat', 'x.bat', 'text/x-bat', 'bat'],
  ['awk', 'x.awk', 'text/x-awk', 'awk'],
  ['sed', 'x.sed', 'text/x-sed', 'sed'],
  ['tcl', 'x.tcl', 'text/x-tcl', 'tcl'],
  ['vim', 'x.vim', 'text/x-vim', 'vim'],
  ['applescript', 'x.applescript', 'text/x-applescript', 'applescript'],
  ['autohotkey', 'x.ahk', 'text/x-autohotkey', 'ahk'],
  ['dockerfile', 'x.dockerfile', 'text/x-dockerfile', 'dockerfile'],
  ['makefile', 'x.mk', 'text/x-makefile', 'makefile'],
  ['just', 'x.just', 'text/x-just', 'just'],
  ['cmake', 'x.cmake', 'text/x-cmake', 'cmake'],
  ['meson', 'x.meson', 'text/x-meson', 'meson'],
  ['ninja', 'x.ninja', 'text/x-ninja', 'ninja'],
  ['starlark', 'x.bzl', 'text/x-starlark', 'starlark'],
  ['nix', 'x.nix', 'text/x-nix', 'nix'],
  ['hcl', 'x.hcl', 'text/x-hcl', 'hcl'],
  ['terraform', 'x.tf', 'text/x-terraform', 'tf'],
  ['bicep', 'x.bicep', 'text/x-bicep', 'bicep'],
  ['dhall', 'x.dhall', 'text/x-dhall', 'dhall'],
  ['jsonnet', 'x.jsonnet', 'text/x-jsonnet', 'jsonnet'],
  ['cue', 'x.cue', 'text/x-cue', 'cue'],
  ['rego', 'x.rego', 'text/x-rego', 'rego'],
  ['puppet', 'x.epp', 'text/x-puppet', 'puppet'],
  ['json', 'x.json', 'application/json', 'json'],
  ['jsonc', 'x.jsonc', 'application/jsonc', 'jsonc'],
  ['json5', 'x.json5', 'application/json5', 'json5'],
  ['jsonl', 'x.jsonl', 'application/jsonl', 'jsonl'],
  ['yaml', 'x.yaml', 'application/yaml', 'yaml'],
  ['toml', 'x.toml', 'application/toml', 'toml'],
  ['ini', 'x.ini', 'text/x-ini', 'ini'],
  ['properties', 'x.properties', 'text/x-properties', 'properties'],
  ['dotenv', 'x.env', 'text/x-dotenv', 'dotenv'],
  ['gitignore', 'x.gitignore', 'text/x-gitignore', 'gitignore'],
  ['xml', 'x.xml', 'application/xml', 'xml'],
  ['svg', 'x.svg', 'image/svg+xml', 'xml'],
  ['html', 'x.html', 'text/html', 'html'],
  ['vue', 'x.vue', 'text/x-vue', 'vue'],
  ['svelte', 'x.svelte', 'text/x-svelte', 'svelte'],
  ['astro', 'x.astro', 'text/x-astro', 'astro'],
  ['mdx', 'x.mdx', 'text/mdx', 'mdx'],
  ['markdown', 'x.md', 'text/markdown', 'md'],
  ['rst', 'x.rst', 'text/x-rst', 'rst'],
  ['asciidoc', 'x.adoc', 'text/asciidoc', 'adoc'],
  ['org', 'x.org', 'text/x-org', 'org'],
  ['tex', 'x.tex', 'text/x-tex', 'tex'],
  ['bibtex', 'x.bib', 'text/x-bibtex', 'bibtex'],
  ['typst', 'x.typ', 'text/x-typst', 'typst'],
  ['css', 'x.css', 'text/css', 'css'],
  ['scss', 'x.scss', 'text/x-scss', 'scss'],
  ['sass', 'x.sass', 'text/x-sass', 'sass'],
  ['less', 'x.less', 'text/x-less', 'less'],
  ['stylus', 'x.styl', 'text/x-stylus', 'stylus'],
  ['postcss', 'x.pcss', 'text/x-postcss', 'postcss'],
  ['handlebars', 'x.hbs', 'text/x-handlebars', 'hbs'],
  ['ejs', 'x.ejs', 'text/x-ejs', 'ejs'],
  ['pug', 'x.pug', 'text/x-pug', 'pug'],
  ['haml', 'x.haml', 'text/x-haml', 'haml'],
  ['slim', 'x.slim', 'text/x-slim', 'slim'],
  ['liquid', 'x.liquid', 'text/x-liquid', 'liquid'],
  ['jinja', 'x.j2', 'text/x-jinja', 'jinja'],
  ['twig', 'x.twig', 'text/x-twig', 'twig'],
  ['coffeescript', 'x.coffee', 'text/coffeescript', 'coffee'],
  ['sql', 'x.sql', 'application/sql', 'sql'],
  ['prisma', 'x.prisma', 'text/x-prisma', 'prisma'],
  ['graphql', 'x.graphql', 'application/graphql', 'graphql'],
  ['sparql', 'x.rq', 'application/sparql-query', 'sparql'],
  ['turtle', 'x.ttl', 'text/turtle', 'turtle'],
  ['protobuf', 'x.proto', 'text/x-protobuf', 'proto'],
  ['thrift', 'x.thrift', 'text/x-thrift', 'thrift'],
  ['capnp', 'x.capnp', 'text/x-capnp', 'capnp'],
  ['csv', 'x.csv', 'text/csv', 'csv'],
  ['tsv', 'x.tsv', 'text/tab-separated-values', 'tsv'],
  ['diff', 'x.diff', 'text/x-diff', 'diff'],
  ['http', 'x.http', 'message/http', 'http'],
  ['nginx', 'x.nginx', 'text/x-nginx', 'nginx'],
  ['apache', 'x.htaccess', 'text/x-apache', 'apache'],
  ['systemd', 'x.service', 'text/x-systemd', 'ini'],
  ['mermaid', 'x.mmd', 'text/vnd.mermaid', 'mermaid'],
  ['dot', 'x.gv', 'text/vnd.graphviz', 'dot'],
  ['plantuml', 'x.puml', 'text/x-plantuml', 'plantuml'],
  ['ipynb', 'x.ipynb', 'application/x-ipynb+json', 'json'],
]

test.for(rows)('%s: %s is %s and its fence says %s', ([name, path, mimeType, tag]) => {
  expect(mimeTypeForPath(path)).toBe(mimeType)
  expect(languageForPath(path)).toBe(tag)
  expect(languageForMimeType(mimeType)).toBe(tag)
  expect(languageForMimeType(`text/x-${name}`)).toBe(tag)
})

test('every language of the table is in the list above', () => {
  expect(rows.map(([name]) => name)).toEqual(languages.map(([, names]) => names.split(' ')[0]))
  expect(new Set(rows.map(([, , , tag]) => tag)).size).toBeGreaterThan(100)
})

describe('the table is unambiguous', () => {
  test.for([
    ['names', 1],
    ['mime types', 2],
    ['extensions', 3],
    ['file names', 4],
  ] as const)('no two languages share an entry of their %s', ([, column]) => {
    const entries = languages.flatMap((row) => (row[column] ?? '').split(' ').filter(Boolean))
    expect(new Set(entries).size).toBe(entries.length)
    expect(entries.filter((entry) => entry !== entry.toLowerCase())).toEqual([])
  })
})

const splitWords = (list = ''): readonly string[] => list.split(' ').filter((word) => word !== '')

const database: Record<string, { extensions?: readonly string[] }> = createRequire(import.meta.url)(
  'mime-db',
)

// A change of a table entry is visible here. To accept it: pnpm exec vitest run packages/media-type -u
test('every name, MIME type, extension and file name of the languages has the recorded result', async () => {
  const lines = languages.flatMap(([tag, names, mimeTypes, extensions, fileNames]) => [
    `${tag}: ${languageForMimeType(splitWords(mimeTypes)[0] ?? '')} ${mimeTypeForPath(`x.${splitWords(extensions)[0]}`)}`,
    ...splitWords(names).map((name) => `  text/x-${name} ${languageForMimeType(`text/x-${name}`)}`),
    ...splitWords(mimeTypes).map((type) => `  ${type} ${languageForMimeType(type)}`),
    ...splitWords(extensions).map(
      (extension) => `  x.${extension} ${languageForPath(`x.${extension}`)}`,
    ),
    ...splitWords(fileNames).map(
      (name) => `  ${name} ${languageForPath(name)} ${mimeTypeForPath(name)}`,
    ),
  ])
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./languages.fixture.txt')
})

test('of the types that claim one extension, the same one is always used', async () => {
  const claims = new Map<string, number>()
  for (const { extensions = [] } of Object.values(database))
    for (const extension of extensions) claims.set(extension, (claims.get(extension) ?? 0) + 1)
  const lines = [...claims]
    .filter(([, count]) => count > 1)
    .map(([extension]) => `${extension} ${mimeTypeForPath(`x.${extension}`)}`)
    .toSorted((one, other) => one.localeCompare(other))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./claimed-extensions.fixture.txt')
})
