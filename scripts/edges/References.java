import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.lang.model.type.TypeKind;
import javax.tools.*;

/**
 * Says what the names in the Java files of a checkout refer to, by javac's own tree API.
 *
 * In: a folder. All .java files below it but module-info.java are attributed together, with all .jar files below it on
 * the class path; errors are passed over, and what is not resolved is left out. Files whose classes are defined by
 * another file, too, are attributed in a later round.
 *
 * Out, a line of JSON for each file: {path, bodies: [[line, column, line, column]], definitions: [[line, column, kind]],
 * uses: [[line, column, target, form, receiver]]}; lines from 1, columns from 0 in bytes. A target is "path:line:column"
 * of its definition, or "external ..." outside of the folder. What a `new` or `::new` names is the constructor, where
 * one is written out; what an import names stands where its first word begins. Names of packages are no uses.
 */
class References {
    static Path root;
    static final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);

    public static void main(String[] arguments) throws IOException {
        root = Path.of(arguments[0]).toRealPath();
        List<Path> files, jars;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(path -> path.toString().endsWith(".java") && !path.endsWith("module-info.java"))
                .filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
        try (Stream<Path> walk = Files.walk(root)) {
            jars = walk.filter(path -> path.toString().endsWith(".jar")).sorted().collect(Collectors.toList());
        }
        List<Path> open = files;
        while (!open.isEmpty()) {
            List<Path> later = round(files, open, jars);
            if (later.size() == open.size()) break;
            open = later;
        }
        out.flush();
    }

    /** Attributes the files of `open`, and of the others those that go with them; gives those for a later round. */
    static List<Path> round(List<Path> files, List<Path> open, List<Path> jars) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        List<Path> order = new ArrayList<>(open);
        files.stream().filter(path -> !order.contains(path)).forEach(order::add);
        Set<String> classes = new HashSet<>();
        List<Path> together = new ArrayList<>(), later = new ArrayList<>();
        Map<Path, List<String>> named = classesOf(compiler, manager, order);
        for (Path path : order) {
            if (Collections.disjoint(classes, named.get(path))) together.add(path);
            else if (open.contains(path)) later.add(path);
            if (together.contains(path)) classes.addAll(named.get(path));
        }
        List<String> options = List.of("-proc:none", "-Xlint:none", "-XDshould-stop.ifError=ATTR", "-XDshould-stop.ifNoError=ATTR",
            "-classpath", jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        JavacTask task = (JavacTask) compiler.getTask(Writer.nullWriter(), manager, diagnostic -> {}, options, null,
            manager.getJavaFileObjectsFromPaths(together));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        Round round = new Round(task);
        for (CompilationUnitTree unit : units) round.define(unit);
        Set<Path> wanted = new HashSet<>(open);
        for (Source source : round.sources.values()) if (wanted.contains(source.path)) new Uses(round, source).write();
        return later;
    }

    /** The outermost classes of each file, with their packages. */
    static Map<Path, List<String>> classesOf(JavaCompiler compiler, StandardJavaFileManager manager, List<Path> files) throws IOException {
        Map<Path, List<String>> found = new HashMap<>();
        for (Path path : files) found.put(path, new ArrayList<>());
        JavacTask task = (JavacTask) compiler.getTask(Writer.nullWriter(), manager, diagnostic -> {}, List.of("-proc:none"), null,
            manager.getJavaFileObjectsFromPaths(files));
        for (CompilationUnitTree unit : task.parse())
            for (Tree type : unit.getTypeDecls())
                if (type instanceof ClassTree) found.get(Path.of(unit.getSourceFile().toUri())).add(unit.getPackageName() + "." + ((ClassTree) type).getSimpleName());
        return found;
    }

    /** One file: its text and where the lines begin. */
    static class Source {
        final CompilationUnitTree unit;
        final Path path;
        final String name, text;
        final List<String> bodies = new ArrayList<>(), uses = new ArrayList<>();
        final Map<String, String> definitions = new LinkedHashMap<>(); // place to kind
        final int[] starts;

        Source(CompilationUnitTree unit) {
            this.unit = unit;
            path = Path.of(unit.getSourceFile().toUri());
            name = root.relativize(path).toString().replace(File.separatorChar, '/');
            try {
                text = unit.getSourceFile().getCharContent(true).toString();
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
            starts = IntStream.concat(IntStream.of(0), IntStream.range(0, text.length()).filter(at -> text.charAt(at) == '\n').map(at -> at + 1)).toArray();
        }

        /** "line, column" in the form in which both are printed. */
        String place(long at) {
            int found = Arrays.binarySearch(starts, (int) at);
            int line = found < 0 ? -found - 2 : found;
            return line + 1 + "," + text.substring(starts[line], (int) at).getBytes(StandardCharsets.UTF_8).length;
        }

        boolean has(String name, long at) {
            return at >= 0 && text.startsWith(name, (int) at);
        }
    }

    /** What is defined where, in one run of the compiler. */
    static class Round {
        final Trees trees;
        final SourcePositions positions;
        final javax.lang.model.util.Elements elements;
        final Map<CompilationUnitTree, Source> sources = new LinkedHashMap<>();
        final Map<Element, String> places = new HashMap<>(); // "path:line:column"

        Round(JavacTask task) {
            trees = Trees.instance(task);
            positions = trees.getSourcePositions();
            elements = task.getElements();
        }

        void define(CompilationUnitTree unit) {
            Source source = new Source(unit);
            sources.put(unit, source);
            new TreePathScanner<Void, Void>() {
                @Override public Void visitClass(ClassTree tree, Void none) {
                    add(tree, tree.getSimpleName().toString(), end(tree.getModifiers(), tree), "\\b%s\\b");
                    return super.visitClass(tree, none);
                }

                @Override public Void visitMethod(MethodTree tree, Void none) {
                    Element element = trees.getElement(getCurrentPath());
                    if (element == null || elements.getOrigin(element) != javax.lang.model.util.Elements.Origin.EXPLICIT) return null;
                    String name = element.getKind() == ElementKind.CONSTRUCTOR ? element.getEnclosingElement().getSimpleName().toString() : tree.getName().toString();
                    add(tree, name, end(tree.getModifiers(), tree), "\\b%s\\b(?=\\s*[({])");
                    return super.visitMethod(tree, none);
                }

                @Override public Void visitVariable(VariableTree tree, Void none) {
                    add(tree, tree.getName().toString(), end(tree.getModifiers(), tree), "\\b%s\\b(?!\\s*[.<])");
                    return super.visitVariable(tree, none);
                }

                @Override public Void visitTypeParameter(TypeParameterTree tree, Void none) {
                    add(tree, tree.getName().toString(), positions.getStartPosition(unit, tree), "\\b%s\\b");
                    return super.visitTypeParameter(tree, none);
                }

                long end(Tree first, Tree tree) {
                    long end = positions.getEndPosition(unit, first);
                    return end >= 0 ? end : positions.getStartPosition(unit, tree);
                }

                void add(Tree tree, String name, long from, String pattern) {
                    Element element = trees.getElement(getCurrentPath());
                    if (element == null || name.isEmpty() || from < 0) return;
                    Matcher matcher = Pattern.compile(String.format(pattern, Pattern.quote(name))).matcher(source.text);
                    long last = positions.getEndPosition(unit, tree);
                    if (!matcher.find((int) from) || last >= 0 && matcher.start() >= last) return;
                    String place = source.place(matcher.start());
                    source.definitions.putIfAbsent(place, kind(element));
                    places.put(element, source.name + ":" + place.replace(',', ':'));
                }
            }.scan(unit, null);
        }

        /** The target that is written for an element, or null. */
        String target(Element element) {
            if (element == null || element.getKind() == ElementKind.PACKAGE) return null;
            String place = places.get(element);
            if (place != null) return place;
            if (element.asType().getKind() == TypeKind.ERROR) return null; // is not known
            Element owner = element.getEnclosingElement();
            if (element.getKind() == ElementKind.CONSTRUCTOR) return places.getOrDefault(owner, "external " + owner);
            if (owner != null && owner.getKind() == ElementKind.RECORD && places.containsKey(owner))
                for (Element field : owner.getEnclosedElements())
                    if (field.getKind() == ElementKind.FIELD && field.getSimpleName().equals(element.getSimpleName())) return places.get(field);
            return "external " + (owner == null || owner.getKind() == ElementKind.PACKAGE ? "" : owner + ".") + element;
        }

        static String kind(Element element) {
            switch (element.getKind()) {
                case CLASS: case RECORD: return "class";
                case INTERFACE: case ANNOTATION_TYPE: return "interface";
                case ENUM: return "enum";
                case METHOD: return "method";
                case CONSTRUCTOR: return "constructor";
                case FIELD: return "field";
                case ENUM_CONSTANT: return "enum constant";
                case TYPE_PARAMETER: return "type parameter";
                case PARAMETER: return "parameter";
                default: return "local variable";
            }
        }
    }

    /** Finds the bodies and uses of one file. */
    static class Uses extends TreePathScanner<Void, Void> {
        final Round round;
        final Source source;
        final Set<Tree> done = Collections.newSetFromMap(new IdentityHashMap<>()); // names that stand for a constructor

        Uses(Round round, Source source) {
            this.round = round;
            this.source = source;
        }

        void write() {
            scan(source.unit, null);
            String definitions = source.definitions.entrySet().stream()
                .map(one -> "[" + one.getKey() + "," + quoted(one.getValue()) + "]").collect(Collectors.joining(","));
            out.println("{\"path\":" + quoted(source.name) + ",\"bodies\":[" + String.join(",", source.bodies) + "],\"definitions\":["
                + definitions + "],\"uses\":[" + String.join(",", source.uses) + "]}");
        }

        static String quoted(String text) {
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }

        long start(Tree tree) {
            return round.positions.getStartPosition(source.unit, tree);
        }

        long end(Tree tree) {
            return round.positions.getEndPosition(source.unit, tree);
        }

        void use(String name, long at, Element element, String form, String receiver) {
            String target = round.target(element);
            if (target != null && source.has(name, at))
                source.uses.add("[" + source.place(at) + "," + quoted(target) + "," + quoted(form) + "," + quoted(receiver) + "]");
        }

        void body(Tree tree) {
            if (tree != null && start(tree) >= 0 && end(tree) > start(tree)) source.bodies.add("[" + source.place(start(tree)) + "," + source.place(end(tree)) + "]");
        }

        @Override public Void visitMethod(MethodTree tree, Void none) {
            Element element = round.trees.getElement(getCurrentPath());
            if (element != null && round.elements.getOrigin(element) != javax.lang.model.util.Elements.Origin.EXPLICIT) return null;
            body(tree.getBody());
            return super.visitMethod(tree, none);
        }

        @Override public Void visitBlock(BlockTree tree, Void none) {
            if (getCurrentPath().getParentPath().getLeaf() instanceof ClassTree) body(tree);
            return super.visitBlock(tree, none);
        }

        @Override public Void visitLambdaExpression(LambdaExpressionTree tree, Void none) {
            body(tree.getBody());
            return super.visitLambdaExpression(tree, none);
        }

        @Override public Void visitImport(ImportTree tree, Void none) {
            MemberSelectTree name = (MemberSelectTree) tree.getQualifiedIdentifier();
            String first = source.text.substring((int) start(name), (int) start(name) + 1);
            if (!tree.isStatic()) {
                use(first, start(name), round.trees.getElement(new TreePath(getCurrentPath(), name)), "import", "none: import");
                return null;
            }
            Element owner = round.trees.getElement(new TreePath(new TreePath(getCurrentPath(), name), name.getExpression()));
            if (owner instanceof TypeElement)
                for (Element member : round.elements.getAllMembers((TypeElement) owner))
                    if (member.getSimpleName().equals(name.getIdentifier())) use(first, start(name), member, "import", "none: import of a member");
            return null;
        }

        @Override public Void visitNewClass(NewClassTree tree, Void none) {
            constructed(tree.getIdentifier(), round.trees.getElement(getCurrentPath()), "instance");
            return super.visitNewClass(tree, none);
        }

        /** Has a constructor take the place of the class that is named, but for a class without a name. */
        void constructed(Tree type, Element constructor, String form) {
            while (type instanceof ParameterizedTypeTree || type instanceof AnnotatedTypeTree)
                type = type instanceof ParameterizedTypeTree ? ((ParameterizedTypeTree) type).getType()
                    : ((AnnotatedTypeTree) type).getUnderlyingType();
            if (constructor == null || constructor.getKind() != ElementKind.CONSTRUCTOR
                || constructor.getEnclosingElement().getSimpleName().length() == 0) return;
            done.add(type);
            String name = constructor.getEnclosingElement().getSimpleName().toString();
            use(name, type instanceof MemberSelectTree ? end(type) - name.length() : start(type), constructor, form, "none: " + reach(constructor.getEnclosingElement()));
        }

        @Override public Void visitIdentifier(IdentifierTree tree, Void none) {
            Element element = round.trees.getElement(getCurrentPath());
            String name = tree.getName().toString();
            boolean isCall = element != null && element.getKind() == ElementKind.CONSTRUCTOR; // this(...), super(...)
            if (element == null || done.contains(tree) || !isCall && (name.equals("this") || name.equals("super"))) return null;
            use(name, start(tree), element, form(), "none: " + (isCall ? name + "(...)" : reach(element)));
            return null;
        }

        @Override public Void visitMemberSelect(MemberSelectTree tree, Void none) {
            Element element = round.trees.getElement(getCurrentPath());
            String name = tree.getIdentifier().toString();
            boolean isCall = element != null && element.getKind() == ElementKind.CONSTRUCTOR;
            if (element != null && !done.contains(tree) && (isCall || !name.equals("this") && !name.equals("super") && !name.equals("class")))
                use(name, end(tree) - name.length(), element, form(), receiver(tree.getExpression()));
            return super.visitMemberSelect(tree, none);
        }

        @Override public Void visitMemberReference(MemberReferenceTree tree, Void none) {
            Element element = round.trees.getElement(getCurrentPath());
            String name = tree.getName().toString();
            if (tree.getMode() == MemberReferenceTree.ReferenceMode.NEW) constructed(tree.getQualifierExpression(), element, "instance by ::new");
            else if (element != null) use(name, end(tree) - name.length(), element, "method reference", receiver(tree.getQualifierExpression()));
            return super.visitMemberReference(tree, none);
        }

        /** What is done with the name that the path leads to. */
        String form() {
            TreePath path = getCurrentPath();
            Tree tree = path.getLeaf(), parent = path.getParentPath().getLeaf();
            Element element = round.trees.getElement(path);
            if (parent instanceof MemberSelectTree || parent instanceof MemberReferenceTree) return "receiver";
            if (parent instanceof MethodInvocationTree && !((MethodInvocationTree) parent).getTypeArguments().contains(tree))
                return ((MethodInvocationTree) parent).getMethodSelect() == tree ? "call" : "argument";
            if (parent instanceof AnnotationTree) return "annotation";
            if (parent instanceof ClassTree) return "base";
            if (element instanceof TypeElement || element instanceof TypeParameterElement) {
                while (path != null && (path.getLeaf() instanceof ParameterizedTypeTree || path.getLeaf() == tree)) path = path.getParentPath();
                return path.getLeaf() instanceof ClassTree ? "base" : "type";
            }
            if (parent instanceof NewClassTree) return "argument";
            if (parent instanceof ReturnTree) return "returned";
            if (parent instanceof CaseTree) return "case";
            if (parent instanceof AssignmentTree || parent instanceof VariableTree) return "assigned";
            return parent instanceof BinaryTree || parent instanceof UnaryTree ? "operand" : "other use";
        }

        /** From where a plain name is seen. */
        String reach(Element element) {
            String kind = Round.kind(element);
            if (element.getKind() == ElementKind.METHOD || element.getKind() == ElementKind.FIELD) {
                TreePath path = getCurrentPath();
                for (boolean first = true; path != null; path = path.getParentPath()) {
                    if (!(path.getLeaf() instanceof ClassTree)) continue;
                    Element type = round.trees.getElement(path);
                    if (element.getEnclosingElement().equals(type)) return kind + (first ? " of the class" : " of an outer class");
                    if (type instanceof TypeElement && round.elements.getAllMembers((TypeElement) type).contains(element))
                        return kind + (first ? ", inherited" : " inherited by an outer class");
                    first = false;
                }
                return kind + ", static import";
            }
            if (!(element instanceof TypeElement)) return kind;
            String place = round.places.get(element);
            if (place == null) return "type from outside";
            if (place.startsWith(source.name + ":")) return kind + " of the file";
            if (((TypeElement) element).getNestingKind().isNested()) return kind + " nested elsewhere";
            boolean isNear = String.valueOf(round.elements.getPackageOf(element).getQualifiedName()).equals(String.valueOf(source.unit.getPackageName()));
            return kind + (isNear ? " of the package" : " of another package");
        }

        /** How the value before a name is known. */
        String receiver(Tree value) {
            while (value instanceof ParenthesizedTree) value = ((ParenthesizedTree) value).getExpression();
            if (value instanceof MethodInvocationTree) return "result of a call";
            if (value instanceof NewClassTree) return "new";
            if (value instanceof TypeCastTree) return "cast";
            if (value instanceof ArrayAccessTree) return "element";
            if (value instanceof LiteralTree) return "literal";
            String name = value instanceof IdentifierTree ? ((IdentifierTree) value).getName().toString()
                : value instanceof MemberSelectTree ? ((MemberSelectTree) value).getIdentifier().toString() : "";
            if (name.equals("this") || name.equals("super") || name.equals("class")) return name.equals("class") ? "literal" : name;
            Element element = round.trees.getElement(new TreePath(getCurrentPath(), value));
            if (value instanceof ParameterizedTypeTree || element instanceof TypeElement) return "type";
            if (element == null) return "other expression";
            if (element.getKind() == ElementKind.PACKAGE) return "package";
            boolean isInferred = false;
            if (element.getKind() == ElementKind.PARAMETER && round.trees.getPath(element) != null)
                isInferred = round.trees.getPath(element).getParentPath().getLeaf() instanceof LambdaExpressionTree;
            return Round.kind(element) + (isInferred ? " of a lambda" : "") + (round.places.containsKey(element) ? "" : " from outside");
        }
    }
}
