; Bash: uses

; Sourced files
(command
  name: (command_name (word) @_source)
  . argument: (_) @name
  (#any-of? @_source "source" ".")) @ref.import
(command
  name: (command_name (word) @_load)
  . argument: [(word) (string) (raw_string) (concatenation)] @name .
  (#any-of? @_load "load" "bats_load_library")) @ref.import

; Functions run by other commands: `trap`, `run`
(command
  name: (command_name (word) @_runner)
  . argument: (word) @name @ref.call
  (#any-of? @_runner
    "run" "exec" "command" "builtin" "eval" "sudo" "nohup" "time" "env" "xargs" "trap" "noglob"
    "nocorrect" "coproc" "assert" "refute")
  (#match? @name "^[A-Za-z_][A-Za-z0-9_:.-]*$"))
(command
  name: (command_name (word) @_runner)
  argument: (word) @_flag
  .
  argument: (word) @name @ref.reference
  (#any-of? @_runner "complete" "compdef" "bind" "add-zsh-hook" "zle" "mapfile" "readarray")
  (#any-of? @_flag "-F" "-C" "-N" "precmd" "preexec" "chpwd" "zshexit")
  (#match? @name "^[A-Za-z_][A-Za-z0-9_:.-]*$"))

; Functions run in subshells
(declaration_command
  "export"
  . (word) @_flag
  (variable_name) @name @ref.reference
  (#match? @_flag "^-[a-z]*f"))

; Calls, except of shell builtins
(command
  name: (command_name (word) @name)
  (#not-any-of? @name
    "." ":" "@test" "[" "[[" "alias" "autoload" "bg" "bind" "bindkey" "break" "builtin" "caller" "case" "cd"
    "command" "compgen" "complete" "compopt" "continue" "coproc" "declare" "dirs" "disown" "do"
    "done" "echo" "emulate" "enable" "eval" "exec" "exit" "export" "false" "fc" "fg" "fi" "getopts"
    "hash" "help" "history" "jobs" "kill" "let" "load" "local" "logout" "mapfile" "popd" "print"
    "printf" "pushd" "pwd" "read" "readarray" "readonly" "rehash" "return" "set" "setopt" "shift"
    "shopt" "source" "suspend" "test" "then" "time" "times" "trap" "true" "type" "typeset" "ulimit"
    "umask" "unalias" "unfunction" "unset" "unsetopt" "wait" "whence" "zmodload" "zstyle" "{" "}")
  (#match? @name "^[A-Za-z_@+][A-Za-z0-9_:.+@-]*$")) @ref.call

; Constants and settings: names in capitals, except the shell's own
([
    (simple_expansion (variable_name) @name)
    (expansion (variable_name) @name)
    (expansion (subscript name: (variable_name) @name))
  ] @ref.reference
  (#match? @name "^_*[A-Z][A-Z0-9_]+$")
  (#not-any-of? @name
    "BASH" "BASHPID" "BASH_LINENO" "BASH_REMATCH" "BASH_SOURCE" "BASH_VERSION" "BASH_VERSINFO"
    "COLUMNS" "COMPREPLY" "COMP_CWORD" "COMP_LINE" "COMP_POINT" "COMP_WORDS" "EDITOR" "EUID"
    "FUNCNAME" "HOME" "HOSTNAME" "IFS" "LANG" "LC_ALL" "LINENO" "LINES" "OLDPWD" "OPTARG" "OPTIND"
    "OSTYPE" "PATH" "PIPESTATUS" "PPID" "PWD" "RANDOM" "REPLY" "SECONDS" "SHELL" "TERM" "TMPDIR"
    "UID" "USER"))
