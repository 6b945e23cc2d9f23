// Without declarations, TypeScript reports an import of the stylesheet, which exports nothing.
// oxlint-disable-next-line unicorn/require-module-specifiers -- the file is a module
export {}
