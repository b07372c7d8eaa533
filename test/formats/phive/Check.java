import com.helger.diver.api.coord.DVRCoordinate;
import com.helger.diagnostics.error.level.EErrorLevel;
import com.helger.io.resource.FileSystemResource;
import com.helger.phive.api.execute.ValidationExecutionManager;
import com.helger.phive.api.executorset.ValidationExecutorSetRegistry;
import com.helger.phive.api.validity.IValidityDeterminator;
import com.helger.phive.en16931.EN16931Validation;
import com.helger.phive.peppol.PeppolValidation;
import com.helger.phive.peppol.PeppolValidation2026_05;
import com.helger.phive.xml.source.IValidationSourceXML;
import com.helger.phive.xml.source.ValidationSourceXML;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Validates documents against a set of rules (`peppol`, `en16931`). Prints a line per file, and its errors below it. */
public class Check {
  public static void main(String[] arguments) throws Exception {
    var registry = new ValidationExecutorSetRegistry<IValidationSourceXML>();
    EN16931Validation.initEN16931(registry);
    PeppolValidation.initStandard(registry);
    var level = IValidityDeterminator.<IValidationSourceXML>createDefault();
    for (var file : List.of(arguments).subList(1, arguments.length)) {
      var set = registry.getOfID(setOf(arguments[0], Files.readString(Path.of(file))));
      var source = ValidationSourceXML.create(new FileSystemResource(file));
      var results = ValidationExecutionManager.executeValidation(level, set, source, Locale.US);
      var errors = new TreeSet<String>();
      results.forEachFlattened(one -> {
        if (one.getErrorLevel().isGE(EErrorLevel.ERROR)) errors.add("  " + one.getErrorID() + " " + one.getErrorText(Locale.US));
      });
      System.out.println((errors.isEmpty() ? "PASS " : "FAIL ") + file);
      errors.forEach(System.out::println);
    }
  }

  private static DVRCoordinate setOf(String rules, String xml) {
    var isCredit = xml.contains("CreditNote-2\"");
    if (rules.equals("peppol"))
      return isCredit
          ? PeppolValidation2026_05.VID_OPENPEPPOL_CREDIT_NOTE_UBL_V3
          : PeppolValidation2026_05.VID_OPENPEPPOL_INVOICE_UBL_V3;
    if (xml.contains(":CrossIndustryInvoice:100\"")) return EN16931Validation.VID_CII_1316;
    return isCredit ? EN16931Validation.VID_UBL_CREDIT_NOTE_1316 : EN16931Validation.VID_UBL_INVOICE_1316;
  }
}
