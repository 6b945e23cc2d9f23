import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-6'

/**
 * Writes the exports of each entry as text. API Extractor follows every re-export, adds the types that exports use, and sorts by name. Its comments
 * and tags are omitted, so a report changes with the API and not with its description.
 */
export function writeReports(entries, folder) {
  const configs = entries.map((entry, index) => configure(entry, join(folder, String(index))))
  const compilerState = CompilerState.create(configs[0], {
    additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  })
  return entries.map((entry, index) => {
    const config = configs[index]
    mkdirSync(config.reportTempFolder, { recursive: true })
    Extractor.invoke(config, { compilerState, localBuild: true, messageCallback: keepQuiet })
    const text = readFileSync(join(config.reportTempFolder, 'entry.api.md'), 'utf8')
    return { entry, text: format(entry, text) }
  })
}

function keepQuiet(message) {
  message.handled = true
}

function configure({ folder, declarations }, reports) {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: declarations,
      newlineKind: 'lf',
      // The check of the tarballs tests whether the declarations compile after an install.
      compiler: {
        overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [declarations] },
      },
      apiReport: {
        enabled: true,
        reportFileName: 'entry.api.md',
        reportFolder: join(reports, 'before'),
        reportTempFolder: join(reports, 'now'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'none' } },
        extractorMessageReporting: { default: { logLevel: 'none' } },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  })
}

const COMPILER_OPTIONS = {
  target: 'es2024',
  lib: ['es2024', 'dom'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  // Declarations import each other by the names of their sources.
  allowImportingTsExtensions: true,
  noEmit: true,
}

/** The code of a report, between its fences. */
export function getCode(report) {
  return /^```ts\n(.*?)^```$/ms.exec(report)[1]
}

function format({ name }, report) {
  const source = ts.createSourceFile('entry.d.ts', getCode(report), ts.ScriptTarget.Latest, true)
  const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed })
  const print = (statement) => printer.printNode(ts.EmitHint.Unspecified, statement, source)
  const imports = source.statements.filter(ts.isImportDeclaration).map(print)
  const rest = source.statements
    .filter((statement) => !ts.isImportDeclaration(statement))
    .map(print)
  const blocks = [...(imports.length > 0 ? [imports.join('\n')] : []), ...rest]
  return `# ${name}\n\nWritten by \`pnpm api:update\`. Declarations without \`export\` cannot be imported: exports are made of them.\n\n\`\`\`ts\n${blocks.join('\n\n')}\n\`\`\`\n`
}
