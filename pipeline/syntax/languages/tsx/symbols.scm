; TSX only: no definitions beyond those of TypeScript
