import { type Plugin, RolldownMagicString } from 'rolldown'

/**
 * Takes what the command needs of Node's own modules without importing them. Of a module that is imported Node reads every
 * export, and some do work when they are read: `process.stdin` opens standard input, `crypto.webcrypto` loads another module.
 */
export function takeBuiltins(): Plugin {
  return {
    name: 'take-builtins',
    renderChunk(code) {
      const text = new RolldownMagicString(code)
      for (const node of this.parse(code).body) {
        if (node.type !== 'ImportDeclaration' || !node.source.value.startsWith('node:')) continue
        const source = `globalThis.process.getBuiltinModule(${JSON.stringify(node.source.value)})`
        const names = node.specifiers.map((specifier) => {
          const { name } = specifier.local
          if (specifier.type !== 'ImportSpecifier') return `const ${name} = ${source};`
          const { imported } = specifier
          const key = imported.type === 'Literal' ? imported.value : imported.name
          return `const ${name} = ${source}${key === 'default' ? '' : `.${key}`};`
        })
        text.overwrite(node.start, node.end, names.join(' '))
      }
      return { code: text.toString() }
    },
  }
}
