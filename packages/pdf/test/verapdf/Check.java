import java.io.FileInputStream;
import java.util.List;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/** Validates files against a profile of veraPDF (ua1, 3a). Prints a line per file, and the violated rules below it. */
public class Check {
  public static void main(String[] arguments) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    var flavour = PDFAFlavour.fromString(arguments[0]);
    for (var file : List.of(arguments).subList(1, arguments.length))
      try (var in = new FileInputStream(file);
          var parser = Foundries.defaultInstance().createParser(in, flavour);
          var validator = Foundries.defaultInstance().createValidator(flavour, false)) {
        var result = validator.validate(parser);
        System.out.println((result.isCompliant() ? "PASS " : "FAIL ") + file);
        result.getTestAssertions().stream()
            .filter(each -> each.getStatus() == TestAssertion.Status.FAILED)
            .map(each -> "  " + each.getRuleId().getClause() + "-" + each.getRuleId().getTestNumber())
            .distinct()
            .forEach(System.out::println);
      }
  }
}
